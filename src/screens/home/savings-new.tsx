/** The form of a new savings plan: what is bought, how much a month, on which day. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import type { Instrument } from "#contract/instrument.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { fullName, usePlace } from "#src/screens/quote/names.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useMember } from "#src/streams/member.ts";
import { takePlan, useSavings } from "#src/streams/savings-plans.ts";
import type { Savings } from "#src/streams/savings-plans.ts";
import { searchInstruments } from "#src/streams/searches.ts";
import { Button } from "#src/ui/button.tsx";
import { RadioList } from "#src/ui/choice.tsx";
import { useNavigate } from "#src/ui/link.tsx";
import { Card } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { MissingNotice } from "./missing-notice.tsx";
import { RequestError } from "./request-error.tsx";
import { amountProblem, PlanFields } from "./savings-form.tsx";
import { SavingsNotes } from "./savings-notes.tsx";
import styles from "./fund.module.css";

const FIELDS = ["code", "amount", "day"] as const;
/** Enough to choose from; another letter is quicker than reading more. */
const FOUND = 8;
const FIRST_DAY = 6;

/** What a plan may buy: stocks and funds that trade. */
const isBuyable = ({ kind, tradable }: Instrument): boolean => tradable && (kind === "stock" || kind === "etf");

/** `/home/etf?plan=new&code=0050` */
export function NewPlan({ first }: { first: string | null }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useSavings();
  const member = useMember().value;
  const missing = member ? missingFor("trade", member.facts) : [];
  const skeleton = useSkeleton(value === null && state !== "failed");
  return (
    <Screen header={<BackHeader title={t("savings.new")} fallback={pathTo("/home/etf", { part: "savings" })} />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("savings.failed")} code={failure ?? ""} onRetry={retry} />}
        <MissingNotice title={t("savings.blocked")} missing={missing} supply={t("fund.supply")} />
        {value && missing.length === 0 && <PlanForm savings={value} first={first} />}
        {value && <SavingsNotes rule={value.rule} />}
      </div>
    </Screen>
  );
}

function PlanForm({ savings, first }: { savings: Savings; first: string | null }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const table = useInstruments();
  const [code, setCode] = useState(first);
  const instrument = (code === null ? null : table?.byCode.get(code)) ?? null;
  const request = useRequest("startSavingsPlan", {
    fields: FIELDS,
    check: ({ amount }) => {
      const problem = amountProblem(amount, savings.rule);
      return problem ? [problem] : [];
    },
    onAccepted: (plan) => {
      takePlan(plan);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
      void navigate(pathTo("/home/etf", { plan: plan.planNo }), { replace: true });
    },
  });
  return (
    <>
      {instrument ? (
        <Card label={t("savings.field.instrument")}>
          <div className={styles.cardHead}>
            <p className={styles.name}>{`${fullName(instrument)} ${instrument.code}`}</p>
            <Button tone="quiet" onClick={() => setCode(null)}>
              {t("savings.other")}
            </Button>
          </div>
          {request.errorAt("code") !== null && (
            <p className={styles.trouble} role="alert">
              {request.errorAt("code")}
            </p>
          )}
        </Card>
      ) : (
        <InstrumentSearch
          error={request.errorAt("code")}
          onChoose={(chosen) => {
            setCode(chosen);
            request.edit("code");
          }}
        />
      )}
      <PlanFields
        first={{ amountCents: null, day: FIRST_DAY }}
        instrument={instrument}
        firstAt={savings.firstAt}
        error={request.errorAt}
        onEdit={request.edit}
        onSubmit={(values) => request.submit({ ...values, code: instrument?.code ?? "" })}
        submit={t("savings.start")}
        busy={request.busy}
      >
        <RequestError request={request} />
      </PlanFields>
    </>
  );
}

/** A field for a code or a name, with the stocks and funds that match. */
function InstrumentSearch({ error, onChoose }: { error: string | null; onChoose: (code: string) => void }) {
  const { t } = useTranslation();
  const place = usePlace();
  const table = useInstruments();
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly Instrument[]>([]);
  useEffect(() => {
    if (!table) return undefined;
    let cancelled = false;
    // Nothing typed yet: the funds with the longest history, which most plans are for.
    const matching = text.trim() === "" ? Promise.resolve(table.list.filter(({ kind }) => kind === "etf")) : searchInstruments(text);
    void matching.then((instruments) => {
      // A late answer for an earlier text must not replace this one.
      if (!cancelled) setFound(instruments.filter(isBuyable).slice(0, FOUND));
    });
    return () => {
      cancelled = true;
    };
  }, [text, table]);
  return (
    <div className={styles.form}>
      <TextField
        label={t("savings.field.instrument")}
        hint={t("savings.find")}
        value={text}
        error={error}
        autoComplete="off"
        onText={setText}
      />
      {found.length > 0 ? (
        <RadioList
          label={t("savings.field.instrument")}
          options={found.map((one) => ({ value: one.code, label: fullName(one), hint: place(one) }))}
          value={null}
          onChoose={onChoose}
        />
      ) : (
        text.trim() !== "" && <p role="status">{t("savings.notFound")}</p>
      )}
    </div>
  );
}

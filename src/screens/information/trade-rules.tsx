/** The trading rules that apply to the member, for each class of instruments. */
import { useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import { shortName } from "#src/screens/quote/names.ts";
import { useInstruments, useVenue } from "#src/streams/instruments.ts";
import type { Instruments } from "#src/streams/instruments.ts";
import { useRules } from "#src/streams/rules.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { Rules } from "#contract/rule.ts";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, RiskNotice, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { exceptionsOf, ruleClasses } from "./rule-classes.ts";
import type { RuleClass } from "./rule-classes.ts";
import { differingLines, RULE_PARTS, ruleLines } from "./rule-lines.ts";
import { BrokerRules } from "./broker-rules.tsx";
import { PriceSteps } from "./rule-steps.tsx";
import styles from "./information.module.css";

const keyOf = ({ kind, board, bonds }: RuleClass): string => `${kind}-${board ?? ""}-${bonds}`;

const nameOf = (t: TFunction, { kind, bonds }: RuleClass): string => (bonds ? t("rule.bondFunds") : t(`rule.kind.${kind}`));

/** `/information/tradeRule`, showing one class, or (`?code=`) an instrument's class. */
export function TradeRules() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useRules();
  const table = useInstruments();
  const waiting = value === null || table === null;
  const skeleton = useSkeleton(waiting && state !== "failed");
  return (
    <Screen header={<BackHeader title={t("rule.title")} fallback="/information/index" />}>
      <div className={styles.page}>
        {waiting && state !== "failed" && skeleton && <Skeleton rows={8} />}
        {!value && state === "failed" && <ErrorState what={t("rule.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && table && <RuleSections rules={value} table={table} />}
      </div>
    </Screen>
  );
}

function RuleSections({ rules, table }: { rules: Rules; table: Instruments }) {
  const { t } = useTranslation();
  const [search] = useQuery<"/information/tradeRule">();
  const today = taipeiDay(useVenue()?.opensAt ?? 0);
  const classes = ruleClasses(rules, table.list, today);
  const requested = table.byCode.get(search.get("code") ?? "");
  const [chosen, setChosen] = useState<string | null>(null);
  const shown =
    classes.find((one) => keyOf(one) === chosen) ??
    (requested && classes.find(({ instruments }) => instruments.includes(requested))) ??
    classes[0];
  if (!shown) return null;
  return (
    <>
      <p className={styles.note}>{t("rule.note")}</p>
      <ChipRow label={t("rule.classes")}>
        {classes.map((one) => (
          <Chip key={keyOf(one)} pressed={one === shown} onPress={() => setChosen(keyOf(one))}>
            {one.board === null ? nameOf(t, one) : t("rule.kindOnBoard", { kind: nameOf(t, one), board: t(`market.board.${one.board}`) })}
          </Chip>
        ))}
      </ChipRow>
      <ClassRules rules={rules} shown={shown} today={today} />
      <BrokerRules rules={rules} />
      <div className={styles.inset}>
        <RiskNotice />
      </div>
    </>
  );
}

function ClassRules({ rules, shown, today }: { rules: Rules; shown: RuleClass; today: number }) {
  const { t, i18n } = useTranslation();
  const lines = ruleLines(t, shown.rule, shown.instruments, shown.next);
  const exceptions = exceptionsOf(rules, shown, today)
    .map(({ instrument, rule }) => ({ instrument, lines: differingLines(ruleLines(t, rule, [instrument]), lines) }))
    .filter((one) => one.lines.length > 0);
  return (
    <>
      {RULE_PARTS.map((part) => (
        <Section key={part} title={t(`rule.part.${part}`)} inset>
          <Card label={t(`rule.part.${part}`)}>
            <FieldList fields={lines[part]} />
            {part === "orders" && <PriceSteps kind={shown.kind} />}
            <p className={styles.plain}>{t(`rule.why.${part}`)}</p>
          </Card>
        </Section>
      ))}
      {exceptions.length > 0 && (
        <Section title={t("rule.exceptions")} inset>
          {exceptions.map((one) => (
            <Card key={one.instrument.code} label={one.instrument.code}>
              <p className={styles.kind}>
                {shortName(one.instrument, i18n.language)} {one.instrument.code}
              </p>
              <FieldList fields={one.lines} />
            </Card>
          ))}
        </Section>
      )}
    </>
  );
}

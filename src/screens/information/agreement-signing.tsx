/** Signs an agreement below its text: by hand or by typing the name, once the text was read to its end. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import type { AgreementText } from "#contract/agreement.ts";
import type { Strokes } from "#contract/signature.ts";
import { useRequest } from "#src/actors/request.ts";
import { currentLanguage } from "#src/gateway/language.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { takeSigned } from "#src/streams/agreements.ts";
import { useMember } from "#src/streams/member.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox, Segmented } from "#src/ui/choice.tsx";
import { SignatureField } from "#src/ui/signature-field.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import styles from "./agreement.module.css";

const WAYS = ["draw", "type"] as const;
const FIELDS = ["readToEnd", "strokes", "typedName"] as const;

/** `text`: the text on the screen, whose fingerprint is signed. */
export function AgreementSigning({ text }: { text: AgreementText }) {
  const { t } = useTranslation();
  const { value: member } = useMember();
  const missing = member ? missingFor("signAgreement", { identity: member.identity, restrictions: [] })[0] : undefined;
  if (missing) {
    return (
      <div className={styles.part}>
        <BlockedNotice title={t("agreement.blocked")} why={refusalTextNow({ ...missing, msg: missing.code })} />
      </div>
    );
  }
  return <SigningForm text={text} />;
}

function SigningForm({ text }: { text: AgreementText }) {
  const { t } = useTranslation();
  const [readToEnd, setRead] = useState(false);
  const [way, setWay] = useState<(typeof WAYS)[number]>("draw");
  const [strokes, setStrokes] = useState<Strokes>([]);
  const [typedName, setName] = useState("");
  const request = useRequest("signAgreement", { fields: FIELDS, onAccepted: takeSigned });
  const signed = way === "draw" ? strokes.length > 0 : typedName.trim() !== "";
  const waits = !readToEnd ? t("agreement.waits") : signed ? null : t(`agreement.waitsFor.${way}`);
  const errorOfForm = request.errorOfForm ?? (request.state === "failed" ? t("agreement.notSent") : null);
  return (
    <form
      className={styles.part}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (waits !== null) return;
        const signature = way === "draw" ? { typedName: "", strokes } : { typedName, strokes: [] };
        request.submit({ kind: text.kind, language: currentLanguage(), hash: text.hash, readToEnd, ...signature });
      }}
    >
      <Checkbox label={t("agreement.end")} on={readToEnd} onCheck={setRead} />
      <Segmented
        label={t("agreement.how")}
        options={WAYS.map((value) => ({ value, label: t(`agreement.way.${value}`) }))}
        value={way}
        onChoose={setWay}
      />
      {way === "draw" ? (
        <SignatureField
          label={t("agreement.pad")}
          hint={t("agreement.padHint")}
          clear={t("agreement.clear")}
          error={request.errorAt("strokes")}
          onStrokes={(drawn) => {
            setStrokes(drawn);
            request.edit("strokes");
          }}
        />
      ) : (
        <NameField
          verified={text.name}
          typed={typedName}
          error={request.errorAt("typedName")}
          onType={(typed) => {
            setName(typed);
            request.edit("typedName");
          }}
        />
      )}
      <div role="alert">{errorOfForm !== null && <p className={styles.trouble}>{errorOfForm}</p>}</div>
      <p id="agreement-waits" className={styles.plain} role="status">
        {waits}
      </p>
      <Button
        type="submit"
        tone="primary"
        size="large"
        block
        busy={request.busy}
        aria-disabled={waits !== null}
        aria-describedby="agreement-waits"
      >
        {t("agreement.sign")}
      </Button>
    </form>
  );
}

interface NameFieldProps {
  /** The member's name as verified. */
  verified: string;
  typed: string;
  error: string | null;
  onType: (typed: string) => void;
}

function NameField({ verified, typed, error, onType }: NameFieldProps) {
  const { t } = useTranslation();
  const hint = t("agreement.nameHint", { name: verified });
  return <TextField label={t("agreement.name")} hint={hint} autoComplete="name" value={typed} error={error} onText={onType} />;
}

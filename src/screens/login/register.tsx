/** Registration: one form for a newcomer with an invitation; a minor's representative is asked for as soon as the date of birth says so. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ageOn, BirthDate } from "#contract/birth-date.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { Representative } from "#contract/registration.ts";
import type { Strokes } from "#contract/signature.ts";
import { useFields } from "#src/actors/fields.ts";
import type { Fields } from "#src/actors/fields.ts";
import { useRequest } from "#src/actors/request.ts";
import { enterSession } from "#src/actors/session.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { SignatureField } from "#src/ui/signature-field.tsx";
import { NewGuaranteeCode, NewPassword } from "#src/ui/new-password.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import styles from "./login.module.css";

const FIELDS = [
  "mobile",
  "idNumber",
  "birthDate",
  "password",
  "confirmation",
  "guaranteeCode",
  "invitationCode",
  "privacy",
  "representative",
] as const;
const EMPTY = {
  mobile: "",
  idNumber: "",
  birthDate: "",
  password: "",
  confirmation: "",
  guaranteeCode: "",
  invitationCode: "",
  representative: "",
  representativeId: "",
};
/** The ages of the law; the server's rules decide. */
const ADULT_YEARS = 18;
const CONSENT_YEARS = 14;
const plain = { autoCapitalize: "off", autoCorrect: "off", spellCheck: false } as const;

/** The age in whole years, or null while no date is typed. */
function ageOf(birthDate: string): number | null {
  const parsed = BirthDate.safeParse(birthDate);
  const age = parsed.success ? ageOn(parsed.data, taipeiDay(Date.now())) : -1;
  return age < 0 ? null : age;
}

/** The first part of a representative that the broker refuses: all parts are one field of the request. */
const wrongPart = (typed: object): string => String(Representative.safeParse(typed).error?.issues[0]?.path[0] ?? "name");

export function Register() {
  const { t } = useTranslation();
  const [agreed, setAgreed] = useState(false);
  const [consents, setConsents] = useState(false);
  const [strokes, setStrokes] = useState<Strokes>([]);
  const request = useRequest("register", {
    fields: FIELDS,
    onAccepted: (session) => enterSession(session, "/login/loginAfter"),
  });
  const [query] = useQuery<"/login/register">();
  const { values, field, form } = useFields({ ...EMPTY, invitationCode: query.get("code")?.slice(0, 16) ?? "" }, request);
  const age = ageOf(values.birthDate);
  const minor = age !== null && age < ADULT_YEARS;
  const { representative, representativeId, ...body } = values;
  const guardian = { name: representative, idNumber: representativeId, strokes, consents };
  const submit = (): void => request.submit({ ...body, privacy: agreed, representative: minor ? guardian : null });
  const guardianError = request.errorAt("representative");
  const privacyError = request.errorAt("privacy");
  return (
    <Screen header={<BackHeader title={t("member.register.title")} fallback="/login/start" />}>
      <form
        ref={form}
        className={styles.sections}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className={styles.edge}>{t("member.register.intro")}</p>
        <AboutYou field={field} />
        {minor && (
          <Guardian
            field={field}
            young={age < CONSENT_YEARS}
            consents={consents}
            errors={guardianError === null ? {} : { [wrongPart(guardian)]: guardianError }}
            onEdit={() => request.edit("representative")}
            onStrokes={setStrokes}
            onConsent={setConsents}
          />
        )}
        <Secrets field={field} />
        <div className={styles.ending}>
          <p className={styles.note}>{t("member.register.privacyText")}</p>
          <Checkbox
            label={t("member.register.privacy")}
            on={agreed}
            onCheck={(on) => {
              setAgreed(on);
              request.edit("privacy");
            }}
          />
          <FormTrouble text={privacyError ?? request.errorOfForm ?? (request.state === "failed" ? t("member.register.failed") : null)} />
          <Button type="submit" tone="primary" size="large" block busy={request.busy}>
            {t("member.register.submit")}
          </Button>
          <ButtonLink to="/login/login" replace tone="quiet">
            {t("login.signIn")}
          </ButtonLink>
        </div>
      </form>
    </Screen>
  );
}

type FieldOf = Fields<keyof typeof EMPTY>["field"];

function AboutYou({ field }: { field: FieldOf }) {
  const { t } = useTranslation();
  return (
    <Section title={t("member.register.who")} inset>
      <div className={styles.form}>
        <TextField {...field("mobile")} label={t("member.register.mobile")} type="tel" inputMode="tel" autoComplete="tel-national" />
        <TextField
          {...field("idNumber")}
          {...plain}
          label={t("login.idNumber")}
          hint={t("login.idHint")}
          autoComplete="username"
          autoCapitalize="characters"
          maxLength={20}
        />
        <TextField {...field("birthDate")} label={t("member.register.birthDate")} type="date" autoComplete="bday" />
      </div>
    </Section>
  );
}

/** The legal representative of a minor. */
function Guardian({
  field,
  young,
  consents,
  errors,
  onEdit,
  onStrokes,
  onConsent,
}: {
  field: FieldOf;
  young: boolean;
  consents: boolean;
  /** The error of each part. */
  errors: Partial<Record<string, string>>;
  onEdit: () => void;
  onStrokes: (strokes: Strokes) => void;
  onConsent: (on: boolean) => void;
}) {
  const { t } = useTranslation();
  const idNumber = field("representativeId");
  return (
    <Section title={t("member.register.minor")} inset>
      <div className={styles.form}>
        <p className={styles.why}>{t("member.register.minorWhy", { age: ADULT_YEARS })}</p>
        <TextField
          {...field("representative")}
          label={t("member.register.representative")}
          error={errors["name"]}
          autoComplete="off"
          maxLength={40}
        />
        <TextField
          {...idNumber}
          {...plain}
          label={t("member.register.representativeId")}
          error={errors["idNumber"]}
          autoCapitalize="characters"
          onText={(text) => {
            idNumber.onText(text);
            onEdit();
          }}
        />
        <SignatureField
          label={t("member.register.signature")}
          hint={t("member.register.signatureHint")}
          clear={t("member.register.signatureClear")}
          error={errors["strokes"] ?? null}
          onStrokes={(strokes) => {
            onStrokes(strokes);
            onEdit();
          }}
        />
        <Checkbox
          label={t(young ? "member.register.consentsYoung" : "member.register.consents")}
          on={consents}
          onCheck={(on) => {
            onConsent(on);
            onEdit();
          }}
        />
        <FormTrouble text={errors["consents"] ?? null} />
      </div>
    </Section>
  );
}

/** What the newcomer signs in with, and who invites them. */
function Secrets({ field }: { field: FieldOf }) {
  const { t } = useTranslation();
  return (
    <Section title={t("member.register.secrets")} inset>
      <div className={styles.form}>
        <NewPassword field={field} label={t("member.register.password")} />
        <NewGuaranteeCode field={field("guaranteeCode")} label={t("member.register.guarantee")} />
        <TextField
          {...field("invitationCode")}
          {...plain}
          label={t("member.register.invitation")}
          hint={t("member.register.invitationHint")}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={20}
        />
      </div>
    </Section>
  );
}

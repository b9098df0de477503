/** Signs in with a passkey, which replaces password and guarantee code, where the browser has passkeys. */
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRequest } from "#src/actors/request.ts";
import { enterSession } from "#src/actors/session.ts";
import { canUsePasskeys, readPasskey } from "#src/gateway/passkey.ts";
import type { PasskeyProblem } from "#src/gateway/passkey.ts";
import { Button } from "#src/ui/button.tsx";
import { FormTrouble } from "#src/ui/form-trouble.tsx";
import styles from "./login.module.css";

export function PasskeySignIn() {
  const { t } = useTranslation();
  const [problem, setProblem] = useState<PasskeyProblem | null>(null);
  const [choosing, setChoosing] = useState(false);
  const signing = useRequest("signInWithPasskey", { onAccepted: (session) => enterSession(session) });
  const starting = useRequest("startPasskeySignIn", {
    onAccepted: (options) => {
      setChoosing(true);
      void readPasskey(options).then((read) => {
        setChoosing(false);
        setProblem(read.problem);
        if (read.passkey) signing.submit({ passkey: read.passkey });
      });
    },
  });
  if (!canUsePasskeys()) return null;
  const failed = starting.state === "failed" || signing.state === "failed" ? t("login.failed") : null;
  return (
    <div className={styles.form}>
      <FormTrouble text={(problem && t(`passkey.problem.${problem}`)) ?? starting.errorOfForm ?? signing.errorOfForm ?? failed} />
      <Button
        size="large"
        block
        icon={<KeyRound size={20} aria-hidden />}
        busy={starting.busy || choosing || signing.busy}
        onClick={() => {
          setProblem(null);
          starting.submit({});
        }}
      >
        {t("passkey.signIn")}
      </Button>
    </div>
  );
}

/** UI kit demo: buttons, slides, sheets, alerts and toasts. */
import { Star } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { showToast } from "#src/gateway/toasts.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink, IconButton } from "#src/ui/button.tsx";
import { FieldList } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { SlideToConfirm } from "#src/ui/slide-to-confirm.tsx";
import { Part } from "./part.tsx";

const TONES = ["primary", "secondary", "up", "down", "danger", "quiet"] as const;

export function Buttons() {
  const { t } = useTranslation();
  const [starred, setStarred] = useState(false);
  return (
    <Part name="Button · ButtonLink · IconButton">
      {TONES.map((tone) => (
        <Button key={tone} tone={tone}>
          {tone}
        </Button>
      ))}
      <Button tone="primary" busy>
        {t("login.submit")}
      </Button>
      <Button tone="primary" disabled>
        {t("login.submit")}
      </Button>
      <Button tone="up" size="large" block>
        {t("login.submit")}
      </Button>
      <ButtonLink to="/lab/ui" replace>
        ButtonLink
      </ButtonLink>
      <IconButton label="IconButton" icon={<Star size={22} aria-hidden />} pressed={starred} onClick={() => setStarred(!starred)} />
    </Part>
  );
}

export function Slides() {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(0);
  const onConfirm = (): void => {
    showToast(t("ui.done"), "success");
    setAttempt(attempt + 1);
  };
  return (
    <Part name="SlideToConfirm">
      <SlideToConfirm key={attempt} label={t("login.submit")} tone="up" onConfirm={onConfirm} />
      <SlideToConfirm label={t("login.submit")} busy onConfirm={onConfirm} />
    </Part>
  );
}

export function Overlays() {
  const { t } = useTranslation();
  const [shown, setShown] = useState<"sheet" | "locked" | "alert" | null>(null);
  const close = (): void => setShown(null);
  const lock = (): void => {
    setShown("locked");
    window.setTimeout(close, 2000);
  };
  return (
    <Part name="Sheet · Alert · Toaster">
      <Button onClick={() => setShown("sheet")}>Sheet</Button>
      <Button onClick={lock}>Sheet locked</Button>
      <Button onClick={() => setShown("alert")}>Alert</Button>
      <Button onClick={() => showToast(t("ui.liveAgain"))}>Toast</Button>
      <Button onClick={() => showToast(t("login.failed"), "danger")}>Toast danger</Button>
      <Sheet
        open={shown === "sheet" || shown === "locked"}
        locked={shown === "locked"}
        onClose={close}
        title="2330 · 1,085.00"
        footer={
          <Button tone="up" size="large" block busy={shown === "locked"} onClick={lock}>
            {t("login.submit")}
          </Button>
        }
      >
        <FieldList
          fields={[
            { label: t("information.available"), value: "1,310,000.00" },
            { label: t("information.frozen"), value: "0.00" },
          ]}
        />
      </Sheet>
      <Alert
        open={shown === "alert"}
        title={t("information.signOutTitle")}
        confirm={t("information.signOut")}
        onConfirm={close}
        onClose={close}
      >
        <p>{t("information.signOutWhy")}</p>
      </Alert>
    </Part>
  );
}

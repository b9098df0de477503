/** Downloads of positions, orders and executions as files; the cash ledger is exported on its own screen, where it is filtered. */
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import { Section } from "#src/ui/row.tsx";
import styles from "./information.module.css";

const FILES = ["positions", "orders", "fills"] as const;
type File = (typeof FILES)[number];

/** The export code is loaded on demand. */
async function save(file: File): Promise<void> {
  const { exportFills, exportOrders, exportPositions } = await import("#src/actors/export.ts");
  if (file === "positions") await exportPositions();
  else if (file === "orders") await exportOrders();
  else await exportFills();
}

export function AccountFiles() {
  const { t } = useTranslation();
  const [saving, setSaving] = useState<File | null>(null);
  return (
    <Section title={t("export.title")} inset>
      <div className={styles.files}>
        {FILES.map((file) => (
          <Button
            key={file}
            icon={<Download size={18} aria-hidden />}
            busy={saving === file}
            onClick={() => {
              setSaving(file);
              void save(file).finally(() => setSaving(null));
            }}
          >
            {t(`export.file.${file}`)}
          </Button>
        ))}
      </div>
      <p className={styles.plain}>{t("export.note")}</p>
    </Section>
  );
}

/** The proof of a deposit: one photo, uploaded before the deposit is submitted. */
import { useTranslation } from "react-i18next";
import { PhotoUpload } from "./photo-upload.tsx";

/** `onChange` is told the photo's id once it is uploaded, and null when another one is chosen. */
export function DepositProof(props: { error: string | null; onChange: (id: string | null) => void }) {
  const { t } = useTranslation();
  return <PhotoUpload label={t("deposit.proof")} hint={t("deposit.proofHint")} {...props} />;
}

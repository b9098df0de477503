/** Everything that keeps a member from an act, said before its form, each with the way out where there is one. */
import { useTranslation } from "react-i18next";
import type { Agreement, Missing } from "#contract/eligibility.ts";
import { pathTo, remedyPath } from "#src/paths.ts";
import { BlockedNotice } from "#src/ui/state.tsx";

interface MissingNoticeProps {
  title: string;
  missing: readonly Missing[];
  /** The agreement that the act needs. */
  agreement?: Agreement;
  /** The words of the way out. */
  supply: string;
}

/** Nothing is shown where nothing is missing. */
export function MissingNotice({ title, missing, agreement, supply }: MissingNoticeProps) {
  const { t } = useTranslation();
  return missing.map(({ code, params, remedy }) => {
    const to = remedy === "/information/shou" && agreement ? pathTo("/information/shou", { kind: agreement }) : remedyPath(remedy);
    const action = to === null ? {} : { action: { label: supply, to } };
    return <BlockedNotice key={code} title={title} why={t(`refusal.${code}`, params)} {...action} />;
  });
}

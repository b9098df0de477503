/** Says by when a short of an instrument must be covered because its register closes, or that it takes no new shorts until then. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Code } from "#contract/kernel/id.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { useCoverDays } from "#src/streams/short-covers.ts";

/** Nothing while no register closes soon. `opening`: for an order that would open a short; on a line of its own. */
export function CoverDayText({ code, opening = false }: { code: Code; opening?: boolean }) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  // Days that were loaded before may have passed since.
  const next = useCoverDays(code).find(({ againAt }) => now < againAt);
  if (!next) return null;
  const reason = t(`shortCover.reason.${next.reason}`);
  const stopped = opening && now >= next.lastAt;
  return (
    <>
      {opening && <br />}
      {stopped
        ? t("shortCover.stopped", { day: formatDate(next.againAt), reason })
        : t("shortCover.due", { day: formatDate(next.lastAt), reason })}
    </>
  );
}

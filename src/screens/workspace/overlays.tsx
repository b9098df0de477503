/** The overlays of every wide page: the search over the page, and the list of keyboard shortcuts. */
import { useTranslation } from "react-i18next";
import { SearchIn } from "#src/screens/favorite/search.tsx";
import type { SearchFrameProps } from "#src/screens/favorite/search.tsx";
import { useModal } from "#src/ui/modal.ts";
import { Section } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import { KEYS } from "./keys.ts";
import type { KeyGroup } from "./keys.ts";
import styles from "./overlays.module.css";

export type OverlayName = "search" | "keys";

interface OverlaysProps {
  shown: OverlayName | null;
  onClose: () => void;
}

export function WideOverlays({ shown, onClose }: OverlaysProps) {
  return (
    <>
      <SearchDialog open={shown === "search"} onClose={onClose} />
      <KeysSheet open={shown === "keys"} onClose={onClose} />
    </>
  );
}

/** Following a result closes it: the page below, or the workspace, shows the instrument. */
function SearchDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const dialog = useModal(open, false, onClose);
  return (
    <dialog ref={dialog} className={styles.search} aria-label={t("ui.search")}>
      {open && (
        <div
          className={styles.panel}
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest("a")) onClose();
          }}
        >
          <SearchIn onLeave={onClose} Frame={DialogFrame} />
        </div>
      )}
    </dialog>
  );
}

function DialogFrame({ header, children }: SearchFrameProps) {
  return (
    <>
      {header}
      <div className={styles.results}>{children}</div>
    </>
  );
}

const GROUPS: readonly KeyGroup[] = ["anywhere", "workspace", "ticket", "focused"];

function KeysSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Sheet open={open} onClose={onClose} title={t("workspace.keys")}>
      <div className={styles.keys} tabIndex={0}>
        {GROUPS.map((group) => (
          <Section key={group} title={t(`workspace.keyGroup.${group}`)}>
            <dl>
              {KEYS.filter((row) => row.group === group).map(({ keys, does }) => (
                <div key={does}>
                  <dt>{t(`workspace.key.${does}`)}</dt>
                  <dd>
                    {keys.map((combination) => (
                      <span key={combination.join()}>{combination.map((key) => (key === "–" ? "–" : <kbd key={key}>{key}</kbd>))}</span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </Section>
        ))}
      </div>
    </Sheet>
  );
}

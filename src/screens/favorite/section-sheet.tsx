/** The index of a long list: every category by board with its live change; a tap scrolls the list to it. */
import { useTranslation } from "react-i18next";
import { BOARDS } from "#contract/instrument.ts";
import type { CategoryGroup } from "#src/screens/quote/categories.ts";
import { categoryKey } from "#src/screens/quote/categories.ts";
import { CategoryChange } from "#src/screens/quote/category-change.tsx";
import { categoryName } from "#src/screens/quote/names.ts";
import { useListedBoards } from "#src/streams/instruments.ts";
import { List, Row, Section } from "#src/ui/row.tsx";
import { Sheet } from "#src/ui/sheet.tsx";
import styles from "./category-browser.module.css";

export interface SectionSheetProps {
  open: boolean;
  groups: readonly CategoryGroup[];
  onClose: () => void;
  /** Called with the index of a category among `groups`. */
  onJump: (to: number) => void;
}

export function SectionSheet({ open, groups, onClose, onJump }: SectionSheetProps) {
  const { t } = useTranslation();
  const boards = useListedBoards(BOARDS);
  return (
    <Sheet open={open} onClose={onClose} title={t("ranking.jump")}>
      <div className={styles.index}>
        {boards.map((board) => (
          <Section key={board} title={t(`market.board.${board}`)}>
            <List label={t(`market.board.${board}`)}>
              {groups.map(
                ({ category, place }, at) =>
                  category.board === board && (
                    <Row
                      key={categoryKey(category)}
                      compact
                      title={categoryName(category)}
                      trailing={<CategoryChange place={place} />}
                      onPress={() => onJump(at)}
                    />
                  ),
              )}
            </List>
          </Section>
        ))}
      </div>
    </Sheet>
  );
}

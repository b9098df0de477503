/** Filter chips for a ranking's board: one per board, and one for all. */
import { useTranslation } from "react-i18next";
import type { Board } from "#contract/instrument.ts";
import { useListedBoards } from "#src/streams/instruments.ts";
import { Chip, ChipRow } from "#src/ui/choice.tsx";

/** Boards whose instruments are ranked; indices and exchange rates are not. */
export const RANKED_BOARDS = ["listed", "otc", "crypto"] as const satisfies readonly Board[];

export function BoardChips({ board, onChoose }: { board: Board | null; onChoose: (board: Board | null) => void }) {
  const { t } = useTranslation();
  const boards = useListedBoards(RANKED_BOARDS);
  return (
    <ChipRow label={t("favorite.boards")}>
      <Chip pressed={board === null} onPress={() => onChoose(null)}>
        {t("favorite.allBoards")}
      </Chip>
      {boards.map((one) => (
        <Chip key={one} pressed={board === one} onPress={() => onChoose(one)}>
          {t(`market.board.${one}`)}
        </Chip>
      ))}
    </ChipRow>
  );
}

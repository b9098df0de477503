/** Filters of a ranking's board, one per board and one for all: as chips, or as a picker where the rows need the room. */
import { useTranslation } from "react-i18next";
import type { Board } from "#contract/instrument.ts";
import { useListedBoards } from "#src/streams/instruments.ts";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { Picker } from "#src/ui/picker.tsx";

/** Boards whose instruments are ranked; indices and exchange rates are not. */
export const RANKED_BOARDS = ["listed", "otc", "crypto"] as const satisfies readonly Board[];

interface BoardFilterProps {
  /** Null for all. */
  board: Board | null;
  onChoose: (board: Board | null) => void;
}

export function BoardChips({ board, onChoose }: BoardFilterProps) {
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

export function BoardPicker({ board, onChoose }: BoardFilterProps) {
  const { t } = useTranslation();
  const boards = useListedBoards(RANKED_BOARDS);
  return (
    <Picker<Board | "all">
      label={t("favorite.boards")}
      options={[
        { value: "all", label: t("favorite.allBoards") },
        ...boards.map((one) => ({ value: one, label: t(`market.board.${one}`) })),
      ]}
      value={board ?? "all"}
      onChoose={(value) => onChoose(value === "all" ? null : value)}
    />
  );
}

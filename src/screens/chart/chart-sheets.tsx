/** The sheets that a chart's tools open, one at a time; each is loaded when it is first opened. */
import { lazy, Suspense, useState } from "react";
import type { Instrument } from "#contract/instrument.ts";
import type { Preferences, ShapeKind } from "#contract/preference.ts";
import { loadTranslations } from "#src/gateway/language.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useProfile } from "#src/streams/profiles.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import type { ChartSubject } from "./chart-spec.ts";
import type { TableOfBars } from "./spoken-bar.ts";
import type { LineEditor } from "./use-lines.ts";

const ToolsSheet = lazy(async () => {
  const [{ ToolsSheet }] = await Promise.all([import("./tools-sheet.tsx"), loadTranslations("sheets")]);
  return { default: ToolsSheet };
});
const LinesSheet = lazy(async () => {
  const [{ LinesSheet }] = await Promise.all([import("./lines-sheet.tsx"), loadTranslations("sheets")]);
  return { default: LinesSheet };
});
const CompareSheet = lazy(async () => {
  const [{ CompareSheet }] = await Promise.all([import("./compare-sheet.tsx"), loadTranslations("sheets")]);
  return { default: CompareSheet };
});
const BarTable = lazy(async () => {
  const [{ BarTable }] = await Promise.all([import("./bar-table.tsx"), loadTranslations("sheets")]);
  return { default: BarTable };
});

type SheetName = "tools" | "lines" | "compare" | "table";

export interface Sheets {
  shown: SheetName | null;
  /** The sheets opened so far; they stay mounted. */
  opened: ReadonlySet<SheetName>;
  open: (which: SheetName) => void;
  close: () => void;
}

/** Which sheet is open. */
export function useSheets(): Sheets {
  const [shown, setShown] = useState<SheetName | null>(null);
  const [opened, setOpened] = useState<ReadonlySet<SheetName>>(new Set());
  const open = (which: SheetName): void => {
    setOpened((before) => new Set(before).add(which));
    setShown(which);
  };
  return { shown, opened, open, close: () => setShown(null) };
}

interface ChartSheetsProps {
  sheets: Sheets;
  subject: ChartSubject;
  preferences: Preferences;
  /** The intraday line is drawn. */
  line: boolean;
  /** What the chart is compared with. */
  other: Instrument | undefined;
  onCompare: (code: string | null) => void;
  editor: LineEditor;
  last: () => number;
  linesHidden: boolean;
  /** Starts drawing a shape. */
  onTool: (tool: ShapeKind) => void;
  /** The bars in view at this moment; null before the first drawing. */
  tableNow: () => TableOfBars | null;
}

export function ChartSheets({
  sheets,
  subject,
  other,
  onCompare,
  editor,
  last,
  linesHidden,
  onTool,
  tableNow,
  ...tools
}: ChartSheetsProps) {
  const { shown, opened, open, close } = sheets;
  const [table, setTable] = useState<TableOfBars | null>(null);
  const index = useIndex(subject.code);
  const openTable = (): void => {
    setTable(tableNow());
    open("table");
  };
  return (
    <ErrorBoundary fallback={() => null}>
      <Suspense>
        {opened.has("tools") && (
          <ToolsSheet
            {...tools}
            open={shown === "tools"}
            onClose={close}
            compared={other ? shortName(other) : null}
            onCompare={() => open("compare")}
            lines={{ count: editor.lines.length, waiting: editor.lines.filter(({ alert }) => alert?.status === "waiting").length }}
            onLines={() => open("lines")}
            onTable={openTable}
          />
        )}
        {opened.has("lines") && (
          <LinesSheet
            open={shown === "lines"}
            onClose={close}
            subject={subject}
            editor={editor}
            last={last}
            linesHidden={linesHidden}
            onTool={onTool}
          />
        )}
        {opened.has("compare") && (
          <CompareSheet open={shown === "compare"} onClose={close} code={subject.code} index={index} other={other} onCompare={onCompare} />
        )}
        {table && <BarTable open={shown === "table"} onClose={close} name={subject.name} table={table} />}
      </Suspense>
    </ErrorBoundary>
  );
}

/** The index of an instrument; undefined if there is none or it is not loaded yet. */
function useIndex(code: string): Instrument | undefined {
  const { value: profile } = useProfile(code);
  const table = useInstruments();
  return profile?.index == null ? undefined : table?.byCode.get(profile.index);
}

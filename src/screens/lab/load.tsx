/** The load lab: runs the app's own list or chart over a market simulated on the device, measures it and exports the result as JSON. */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "#src/actors/session.ts";
import { saveFile, reloadApp } from "#src/gateway/shell.ts";
import { setFlashes } from "#src/streams/cells.ts";
import { loadStarted, startLoad } from "#src/streams/load.ts";
import { Button } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { DEFAULT_LOAD, LoadControls } from "./load-settings.tsx";
import type { LoadChoice } from "./load-settings.tsx";
import { LoadChart, LoadList } from "./load-show.tsx";
import { Figures } from "./load-figures.tsx";
import { deviceOf, Meter } from "./measure.ts";
import type { Measured } from "./measure.ts";
import { scrollThrough } from "./scroll.ts";
import styles from "./load.module.css";

/** How often the figures are read while no run is in progress. */
const READ_MS = 2_000;
/** Duration of the scripted run: it waits until the market is streaming, then scrolls down and up again. */
const RUN_MS = 20_000;
const SETTLE_MS = 2_000;

/** `/lab/load` */
export function Load() {
  const { t } = useTranslation();
  const [choice, setChoice] = useState<LoadChoice>(DEFAULT_LOAD);
  const place = useRef<HTMLDivElement>(null);
  const signedIn = useSession((session) => session.matches("signedIn"));
  // The chart reads the member's data; without a session only the list is available.
  const shown: LoadChoice = { ...choice, show: signedIn ? choice.show : "list" };
  useSimulatedMarket(choice);
  const { running, result, run } = useScriptedRun(place);
  const now = useReadings(running);
  return (
    <Screen
      header={<BackHeader title={t("load.title")} subtitle={t("load.subtitle")} fallback="/login/start" />}
      scroll="page"
      width="wide"
      footer={
        <div className={styles.actions}>
          <Button size="large" disabled={now === null} onClick={() => saveReport(shown, result ?? now)}>
            {t("load.export")}
          </Button>
          <Button tone="primary" size="large" busy={running} onClick={() => void run()}>
            {t("load.run")}
          </Button>
        </div>
      }
    >
      <div className={styles.page}>
        <Figures now={now} result={result} running={running} />
        <div ref={place} className={styles.stage}>
          {shown.show === "chart" ? <LoadChart key={choice.rows} /> : <LoadList label={t("load.list")} />}
        </div>
        <LoadControls choice={shown} chartable={signedIn} onChoose={(change) => setChoice((before) => ({ ...before, ...change }))} />
        <p className={styles.note}>{t("load.note")}</p>
      </div>
    </Screen>
  );
}

/** Streams the chosen market while the lab is open. */
function useSimulatedMarket({ rows, categories, updatesPerSecond, flash }: LoadChoice): void {
  useEffect(() => {
    void startLoad({ rows, categories, updatesPerSecond });
  }, [rows, categories, updatesPerSecond]);
  useEffect(() => {
    setFlashes(flash);
    return () => setFlashes(true);
  }, [flash]);
  // The streams belong to the lab now: leaving it must reload the app.
  useEffect(
    () => () => {
      if (loadStarted()) reloadApp();
    },
    [],
  );
}

/** The newest measurement, taken every two seconds; it stands still during a run. Null before the first. */
function useReadings(running: boolean): Measured | null {
  const [now, setNow] = useState<Measured | null>(null);
  const showFigures = useEffectEvent((measured: Measured) => {
    if (!running) setNow(measured);
  });
  useEffect(() => {
    let meter = new Meter();
    const reading = setInterval(() => {
      const full = meter;
      meter = new Meter();
      full.stop();
      void full.read().then((measured) => showFigures(measured));
    }, READ_MS);
    return () => {
      clearInterval(reading);
      meter.stop();
    };
  }, []);
  return now;
}

interface ScriptedRun {
  running: boolean;
  /** What the last run measured; null before and during a run. */
  result: Measured | null;
  run: () => Promise<void>;
}

/** Measures while it scrolls the list or chart in `place` down and up again. */
function useScriptedRun(place: RefObject<HTMLElement | null>): ScriptedRun {
  const [running, setRunning] = useState(false);
  const [result, setResult] = useState<Measured | null>(null);
  const run = async (): Promise<void> => {
    setRunning(true);
    setResult(null);
    await new Promise((done) => setTimeout(done, SETTLE_MS));
    const meter = new Meter();
    await scrollThrough(place.current, RUN_MS);
    meter.stop();
    setResult(await meter.read());
    setRunning(false);
  };
  return { running, result, run };
}

/** Saves a measurement as JSON, with the device and the settings it was taken with. */
function saveReport(choice: LoadChoice, measured: Measured | null): void {
  const report = {
    kind: "kuroshio load report",
    version: 1,
    at: new Date().toISOString(),
    device: deviceOf(),
    choice,
    measured,
  };
  saveFile("kuroshio-load.json", "application/json", JSON.stringify(report, null, 2));
}

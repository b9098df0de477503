/** UI kit demo: fields, steppers, the number pad and every choice control. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox, Chip, ChipRow, RadioList, Segmented, Switch } from "#src/ui/choice.tsx";
import { NumberPad } from "#src/ui/number-pad.tsx";
import { NumberStepper } from "#src/ui/number-stepper.tsx";
import { typeKey } from "#src/ui/pad-key.ts";
import { Tabs } from "#src/ui/tabs.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { Part } from "./part.tsx";

const LIMIT = { decimals: 2, digits: 6 };

export function Fields() {
  const { t } = useTranslation();
  const [id, setId] = useState("");
  const [password, setPassword] = useState("secret");
  const [lots, setLots] = useState("1");
  const step = (direction: number, steps: number): void => setLots(String(Math.max(1, Number(lots) + direction * steps)));
  return (
    <>
      <Part name="TextField">
        <TextField label={t("login.idNumber")} hint={t("login.idHint")} value={id} onText={setId} />
        <TextField label={t("login.idNumber")} value={id} onText={setId} error={t("refusal.VAL_ID_INVALID")} />
        <TextField label={t("login.password")} type="password" value={password} onText={setPassword} />
        <TextField label={t("login.guaranteeCode")} value="" onText={() => undefined} disabled />
      </Part>
      <Part name="NumberStepper">
        <NumberStepper label="Lots" value={lots} onType={setLots} onStep={step} inputMode="numeric" />
        <NumberStepper
          label="Price"
          value="1085.02"
          onType={() => undefined}
          onStep={() => undefined}
          error={t("refusal.TRD_PRICE_OFF_TICK", { n: "0.05" })}
        />
        <NumberStepper label="Lots" value="1" onType={() => undefined} onStep={() => undefined} disabled />
      </Part>
      <Part name="NumberPad" full>
        <NumberPad onKey={(key) => setLots(typeKey(lots, key, LIMIT))} onDone={() => undefined} />
      </Part>
    </>
  );
}

export function Choices() {
  const { t } = useTranslation();
  const [side, setSide] = useState<"rise" | "fall">("rise");
  const [pricing, setPricing] = useState<"limit" | "market">("limit");
  const [share, setShare] = useState(25);
  const [tab, setTab] = useState<"one" | "two" | "three" | "four" | "five" | "six">("one");
  const [on, setOn] = useState(true);
  return (
    <>
      <Part name="Segmented · Chip · Checkbox">
        <Segmented
          label="Direction"
          options={[
            { value: "rise", label: "Rise", tone: "up" },
            { value: "fall", label: "Fall", tone: "down" },
          ]}
          value={side}
          onChoose={setSide}
        />
        <Segmented
          label="Type"
          options={[
            { value: "limit", label: "Limit" },
            { value: "market", label: "Market" },
          ]}
          value={pricing}
          onChoose={setPricing}
        />
        <ChipRow label="Share" inset>
          {[25, 50, 75, 100].map((one) => (
            <Chip key={one} pressed={one === share} onPress={() => setShare(one)}>
              {one}%
            </Chip>
          ))}
        </ChipRow>
        <Checkbox label={t("login.remember")} on={on} onCheck={setOn} />
      </Part>
      <Part name="Tabs · Switch · RadioList" full>
        <Tabs
          label="Tabs"
          tabs={(["one", "two", "three", "four", "five", "six"] as const).map((value, at) => ({ value, label: `Tab ${value}`, count: at }))}
          value={tab}
          onChoose={setTab}
        />
        <Switch label={t("login.remember")} hint={t("login.idHint")} on={on} onSwitch={setOn} />
        <Switch label={t("login.remember")} on={false} onSwitch={() => undefined} disabled />
        <RadioList
          label="RadioList"
          options={[
            { value: "rise", label: t("information.themes.light"), hint: t("information.themes.system") },
            { value: "fall", label: t("information.themes.dark") },
          ]}
          value={side}
          onChoose={setSide}
        />
      </Part>
    </>
  );
}

/** UI kit demo: rows, cards, field lists, headers and a list of two thousand rows. */
import { Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Direction } from "#src/ui/direction.tsx";
import { Card, FieldList, List, Row, RowBody, Section } from "#src/ui/row.tsx";
import { HomeBar, TitleHeader } from "#src/ui/screen.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { Part } from "./part.tsx";
import styles from "./lab.module.css";

export function Rows() {
  const { t } = useTranslation();
  return (
    <>
      <Part name="HomeBar · TitleHeader" full>
        <HomeBar title="HomeBar" searchTo="/lab/ui" bellTo="/lab/ui" unread={3} />
        <TitleHeader title="TitleHeader" />
      </Part>
      <Part name="Section · List · Row" full>
        <Section title={t("information.settings")}>
          <List>
            <Row leading={<Settings2 size={22} aria-hidden />} title="台積電 TSMC" subtitle="2330 · TWSE" to="/lab/ui" />
            <Row
              price
              title="鴻海精密工業股份有限公司 Hon Hai Precision Industry"
              subtitle="2317 · TWSE"
              trailing={
                <>
                  212.50
                  <br />
                  <Direction trend="down" text="0.70%" />
                </>
              }
            />
            <Row compact title={t("information.languageRow")} trailing="English" onPress={() => undefined} />
          </List>
        </Section>
      </Part>
      <Part name="Card · FieldList · Direction">
        <Card>
          <FieldList
            columns={2}
            fields={[
              { label: "Open", value: "1,070.00" },
              { label: "Prev", value: "1,065.00" },
              { label: "High", value: <Direction trend="up" text="1.88%" /> },
              { label: "Low", value: <Direction trend="down" text="−1,204.00" arrow={false} /> },
              { label: "Flat", value: <Direction trend="flat" text="0.00%" /> },
            ]}
          />
        </Card>
      </Part>
    </>
  );
}

interface Sample {
  code: string;
  name: string;
}

const sections = Array.from({ length: 53 }, (_, section) => ({
  id: String(section),
  title: `Category ${section + 1}`,
  note: "38",
  items: Array.from({ length: 38 }, (_, row): Sample => ({
    code: String(1000 + section * 38 + row),
    name: `Instrument ${section}.${row}`,
  })),
}));

function SampleRow({ item }: { item: Sample }) {
  return <RowBody title={item.name} subtitle={item.code} trailing="1,085.00" price to="/lab/ui" />;
}

const keyOf = (sample: Sample): string => sample.code;

export function LongList() {
  return (
    <Part name="VirtualList" full>
      <div className={styles.window}>
        <VirtualList label="VirtualList rows" sections={sections} keyOf={keyOf} Row={SampleRow} />
      </div>
    </Part>
  );
}

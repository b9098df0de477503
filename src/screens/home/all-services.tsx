/** All services, grouped and searchable, with a note where the member must verify their identity first. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMember } from "#src/streams/member.ts";
import { List, Row, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { TextField } from "#src/ui/text-field.tsx";
import { NEEDS_IDENTITY, SERVICES } from "./services.ts";
import styles from "./all-services.module.css";

/** `/home/allTool` */
export function AllServices() {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const verified = useMember().value?.identity !== "unverified";
  const needle = query.trim().toLocaleLowerCase();
  const groups = SERVICES.map(({ group, services }) => ({
    group,
    services: services.filter(({ key }) => `${t(`service.name.${key}`)} ${t(`service.does.${key}`)}`.toLocaleLowerCase().includes(needle)),
  })).filter(({ services }) => services.length > 0);
  return (
    <Screen
      header={<BackHeader title={t("service.title")} />}
      top={
        <div className={styles.search} role="search">
          <TextField label={t("service.search")} value={query} onText={setQuery} />
        </div>
      }
    >
      <div className={styles.page}>
        {groups.map(({ group, services }) => (
          <Section key={group} title={t(`service.group.${group}`)}>
            <List label={t(`service.group.${group}`)}>
              {services.map(({ key, to, icon: Icon }) => (
                <Row
                  key={key}
                  to={to}
                  leading={<Icon size={22} aria-hidden />}
                  title={t(`service.name.${key}`)}
                  subtitle={NEEDS_IDENTITY.has(key) && !verified ? t("service.needsIdentity") : t(`service.does.${key}`)}
                />
              ))}
            </List>
          </Section>
        ))}
        {groups.length === 0 && (
          <EmptyState
            title={t("service.none")}
            why={t("service.noneWhy")}
            action={{ label: t("service.showAll"), onPress: () => setQuery("") }}
          />
        )}
      </div>
    </Screen>
  );
}

/** The welcome page: site name, language choice and the link to sign in. */
import { Activity, ChartCandlestick, Languages, ScrollText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { currentLanguage, LANGUAGES } from "#src/gateway/language.ts";
import { currentSite } from "#src/gateway/site.ts";
import { read } from "#src/gateway/storage.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Screen } from "#src/ui/screen.tsx";
import styles from "./login.module.css";

export function Start() {
  const { t } = useTranslation();
  const { title, logo } = currentSite();
  const points = [
    { icon: <Activity size={22} aria-hidden />, text: t("login.points.live") },
    { icon: <ChartCandlestick size={22} aria-hidden />, text: t("login.points.order") },
    { icon: <ScrollText size={22} aria-hidden />, text: t("login.points.ledger") },
  ];
  return (
    <Screen
      footer={
        <div className={styles.ways}>
          <ButtonLink to="/login/login" tone="primary" size="large" block>
            {t("login.signIn")}
          </ButtonLink>
          <ButtonLink to={read("rembInfo") === null ? "/login/start1" : "/login/register"} size="large" block>
            {t("login.register")}
          </ButtonLink>
          <nav className={styles.links} aria-label={t("login.more")}>
            <Link to="/information/changeLang" className={styles.link ?? ""}>
              <Languages size={18} aria-hidden />
              {LANGUAGES[currentLanguage()]}
            </Link>
            <Link to="/information/aboutUs" className={styles.link ?? ""}>
              {t("login.about")}
            </Link>
          </nav>
        </div>
      }
    >
      <div className={styles.welcome}>
        {logo !== null && <img className={styles.logo} src={logo} alt="" width={72} height={72} />}
        <h1 className={styles.name}>{title}</h1>
        <p className={styles.promise}>{t("login.welcome")}</p>
        <ul className={styles.points} role="list">
          {points.map(({ icon, text }) => (
            <li key={text} className={styles.point}>
              {icon}
              {text}
            </li>
          ))}
        </ul>
      </div>
    </Screen>
  );
}

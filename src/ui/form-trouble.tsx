/** What keeps a whole form from being accepted, announced when it appears. */
import styles from "./form.module.css";

export function FormTrouble({ text }: { text: string | null }) {
  return <div role="alert">{text !== null && <p className={styles.trouble}>{text}</p>}</div>;
}

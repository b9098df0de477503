/** Home's part about new shares and bonds: what is open for applications. */
import { Suspense, lazy } from "react";
import { loadTranslations } from "#src/gateway/language.ts";

const Offerings = lazy(async () => {
  const [{ OfferingDigest }] = await Promise.all([import("#src/screens/quote/offering-parts.ts"), loadTranslations("offering")]);
  return { default: OfferingDigest };
});

export function NewOfferings() {
  return (
    <Suspense>
      <Offerings />
    </Suspense>
  );
}

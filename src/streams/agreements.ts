/** The member's agreements: which are signed, and their texts. */
import { filter } from "rxjs";
import type { AgreementLanguage, AgreementSummary, AgreementText } from "#contract/agreement.ts";
import type { Agreement } from "#contract/eligibility.ts";
import { isAgreementFact } from "#contract/fact-kind.ts";
import { call } from "#src/gateway/api.ts";
import { currentLanguage } from "#src/gateway/language.ts";
import { facts$ } from "./facts.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

const agreements: Resource<AgreementSummary[]> = resource<AgreementSummary[]>({
  load: () => call("listAgreements", { language: currentLanguage() }, { shownByCaller: true }),
  deltas$: refetchAfter<AgreementSummary[]>(facts$.pipe(filter(isAgreementFact)), () => agreements),
});

/** Read every agreement in a component. */
export function useAgreements(): Read<AgreementSummary[]> {
  return useResource(agreements);
}

/** Apply the answer of signing. */
export function takeSigned(signed: AgreementSummary): void {
  agreements.change((list) => list?.map((one) => (one.kind === signed.kind ? signed : one)) ?? null);
}

const texts = resourceByKey((key: `${Agreement} ${AgreementLanguage}`) => {
  const [kind, language] = key.split(" ") as [Agreement, AgreementLanguage];
  return { load: () => call("readAgreement", { kind, language }, { shownByCaller: true }) };
});

/** Read the text of an agreement in a component. */
export function useAgreementText(kind: Agreement, language: AgreementLanguage): Read<AgreementText> {
  return useResource(texts(`${kind} ${language}`));
}

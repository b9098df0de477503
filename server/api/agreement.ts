/** Handlers of agreements: list, read, sign, and the signed document as a PDF. */
import { listAgreements, readDocument, signAgreement } from "#server/accounts/agreements.ts";
import { agreementText, BINDING, hashOfText } from "#server/accounts/agreement-text/texts.ts";
import { offersSigned } from "#server/accounts/loan.ts";
import { pdfOf } from "#server/accounts/pdf-thread.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Handlers } from "./handler.ts";

export interface AgreementHandlerDeps {
  db: Database;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
}

type AgreementHandlers = Pick<Handlers, "listAgreements" | "readAgreement" | "signAgreement" | "readAgreementDocument">;

export function agreementHandlers({ db, sequencer, now }: AgreementHandlerDeps): AgreementHandlers {
  return {
    listAgreements: ({ caller }, { language }) => listAgreements(db.kysely, caller.memberId, language),
    async readAgreement({ caller }, { kind, language }) {
      const { version, title, points } = agreementText(kind, language);
      const member = await db.kysely.selectFrom("member").select("name").where("id", "=", caller.memberId).executeTakeFirstOrThrow();
      return { kind, version, title, points: [...points], hash: hashOfText(agreementText(kind, BINDING)), name: member.name };
    },
    async signAgreement({ caller: { memberId, sessionHash } }, body) {
      sequencer.countCommand(memberId);
      const signed = await signAgreement(db, { memberId, sessionHash, at: now() }, body);
      if (body.kind === "loan") await sequencer.submit(offersSigned(memberId));
      // Forms that are open on the member's other devices begin to work.
      const decide = (batch: Batch): void => batch.emit(memberId, { type: "agreement.signed", agreement: body.kind });
      await sequencer.submit({ memberIds: [memberId], decide });
      return signed;
    },
    async readAgreementDocument({ caller: { memberId } }, { id }) {
      sequencer.countCommand(memberId);
      const document = await readDocument(db.kysely, memberId, id);
      return { name: `${document.text.kind}-v${document.text.version}-${document.account}.pdf`, base64: await pdfOf(document) };
    },
  };
}

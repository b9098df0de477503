/** The conversion machine's effects and its React hook: ask for a quote, accept it once, query an unknown outcome. */
import { useSelector } from "@xstate/react";
import i18next from "i18next";
import { useEffect, useState } from "react";
import { createActor, fromPromise } from "xstate";
import type { ActorRefFrom } from "xstate";
import type { Conversion, ConversionQuote } from "#contract/conversion.ts";
import type { Asked } from "#contract/endpoints.ts";
import { conversionMachine } from "#machines/conversion.ts";
import type { AcceptAnswer, LiveQuote, OutcomeAnswer, QuoteAnswer, QuoteTerms } from "#machines/conversion.ts";
import type { RequestRefusal } from "#machines/request.ts";
import { call } from "#src/gateway/api.ts";
import { forgetCommand, newRequestId, storeCommand } from "#src/gateway/pending-commands.ts";
import { waitForTranslations } from "#src/gateway/language.ts";
import { onOnline } from "#src/gateway/shell.ts";
import { read } from "#src/gateway/storage.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refusalOf, schemaProblems } from "./request-effects.ts";
import { registerActor } from "./registry.ts";

export type ConversionTerms = Asked<"quoteConversion">;

/** A live quote with everything the screen shows. */
export interface ShownQuote extends LiveQuote {
  shown: ConversionQuote;
}

/** After these, only a new quote helps. */
const ENDED = new Set(["CUR_QUOTE_EXPIRED", "CUR_QUOTE_MOVED"]);

async function askQuote(terms: ConversionTerms): Promise<QuoteAnswer> {
  const [problem] = await schemaProblems("quoteConversion", terms);
  if (problem) {
    await waitForTranslations();
    return { kind: "refused", refusal: { ...problem, msg: problem.code } };
  }
  const outcome = await call("quoteConversion", terms, { shownByCaller: true });
  if (outcome.refused) return { kind: "refused", refusal: refusalOf(outcome.refused) };
  if (!outcome.ok) return { kind: "failed" };
  const { quoteId, quotedAt, expiresAt } = outcome.data;
  const quote: ShownQuote = { quoteId, lifetimeMs: expiresAt - quotedAt, shown: outcome.data };
  return { kind: "quoted", quote };
}

function done(conversion: Conversion): { kind: "done"; conversion: Conversion } {
  showToast(i18next.t("operation.OP_EXCHANGE_OK"), "success");
  return { kind: "done", conversion };
}

async function accept(requestId: string, quoteId: string): Promise<AcceptAnswer> {
  const body = { requestId, quoteId };
  await storeCommand({ requestId, name: "acceptConversion", body, account: read("account") ?? "", at: Date.now() });
  const outcome = await call("acceptConversion", body, { shownByCaller: true });
  if (!outcome.ok && !outcome.refused && outcome.failed !== "expired") return { kind: "unknown" };
  await forgetCommand(requestId);
  if (outcome.ok) return done(outcome.data);
  const refusal: RequestRefusal = outcome.refused
    ? refusalOf(outcome.refused)
    : { code: "ACC_SESSION_EXPIRED", params: {}, field: null, msg: "" };
  return { kind: ENDED.has(refusal.code) ? "expired" : "refused", refusal };
}

/** A quote lives for seconds: what has not arrived by now is refused should it still arrive. */
async function askOutcome(requestId: string): Promise<OutcomeAnswer> {
  if (read("tokend") === null) return { kind: "unknown" };
  const outcome = await call("askOutcome", { requestId, giveUp: true }, { shownByCaller: true });
  if (!outcome.ok) return { kind: "unknown" };
  await forgetCommand(requestId);
  return outcome.data.known ? done(outcome.data.answer as Conversion) : { kind: "notReceived" };
}

/** The conversion machine with the app's effects. */
export function withConversionEffects() {
  return conversionMachine.provide({
    actors: {
      askQuote: fromPromise<QuoteAnswer, { terms: QuoteTerms }>(({ input }) => askQuote(input.terms as ConversionTerms)),
      accept: fromPromise<AcceptAnswer, { requestId: string; quoteId: string }>(({ input }) => accept(input.requestId, input.quoteId)),
      askOutcome: fromPromise<OutcomeAnswer, { requestId: string }>(({ input }) => askOutcome(input.requestId)),
    },
  });
}

export interface ConversionRequest {
  state: "editing" | "asked" | "quoted" | "expired" | "accepting" | "unknown" | "done";
  quote: ShownQuote | null;
  refusal: RequestRefusal | null;
  failed: boolean;
  conversion: Conversion | null;
  ask: (terms: ConversionTerms) => void;
  askAgain: () => void;
  accept: () => void;
  edit: () => void;
}

function begin(): ActorRefFrom<typeof conversionMachine> {
  return registerActor(createActor(withConversionEffects(), { id: "conversion" })).start();
}

/** One conversion form. The actor outlives the component, so that an outcome that is still unknown is found. */
export function useConversion(): ConversionRequest {
  const [actor] = useState(begin);
  useEffect(() => onOnline(() => actor.send({ type: "ASK_NOW" })), [actor]);
  const snapshot = useSelector(actor, (one) => one);
  const { quote, refusal, failed, conversion } = snapshot.context;
  return {
    state: typeof snapshot.value === "string" ? snapshot.value : "unknown",
    quote: quote as ShownQuote | null,
    refusal,
    failed,
    conversion: conversion as Conversion | null,
    ask: (terms) => actor.send({ type: "ASK", terms }),
    askAgain: () => actor.send({ type: "ASK_AGAIN" }),
    accept: () => actor.send({ type: "ACCEPT", requestId: newRequestId() }),
    edit: () => actor.send({ type: "EDIT" }),
  };
}

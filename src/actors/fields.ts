/** The typed texts of a form and what a text field needs of its request: value, error, and clearing the error while typing. */
import { useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Request } from "./request.ts";

export interface Field {
  name: string;
  value: string;
  error: string | null;
  onText: (text: string) => void;
}

export interface Fields<Name extends string> {
  values: Record<Name, string>;
  field: (name: Name) => Field;
  /** Set a text that was not typed. */
  fill: (name: Name, text: string) => void;
  clear: () => void;
  /** For the form element: after a refusal the first wrong field is focused. */
  form: RefObject<HTMLFormElement | null>;
}

/** The fields of a form and its request; the texts stay when the request is refused. */
export function useFields<Name extends string, Endpoint extends EndpointName>(
  first: Record<Name, string>,
  request: Pick<Request<Endpoint>, "errorAt" | "edit" | "problems" | "refusal">,
): Fields<Name> {
  const [values, setValues] = useState(first);
  const form = useRef<HTMLFormElement>(null);
  const { problems, refusal } = request;
  useEffect(() => {
    if (problems.length > 0 || refusal !== null)
      form.current?.querySelector<HTMLElement>("[aria-invalid=true], canvas[data-invalid]")?.focus();
  }, [problems, refusal]);
  const fill = (name: Name, text: string): void => setValues((before) => ({ ...before, [name]: text }));
  return {
    values,
    fill,
    form,
    clear: () => setValues(first),
    field: (name) => ({
      name,
      value: values[name],
      error: request.errorAt(name),
      onText: (text) => {
        fill(name, text);
        request.edit(name);
      },
    }),
  };
}

/** The contract's endpoints where calls are made: the entrance's are at hand, all others come in one file when the first of them is called. */
import { entrance } from "#contract/entrance.ts";
import type { EndpointName, Endpoints } from "#contract/endpoints.ts";

type EntranceName = keyof typeof entrance;

const isEntrance = (name: EndpointName): name is EntranceName => Object.hasOwn(entrance, name);

/** Every endpoint. Rejects when the file does not come; the browser is asked for it again the next time. */
export async function allEndpoints(): Promise<Endpoints> {
  return (await import("#contract/endpoints.ts")).endpoints;
}

/** One endpoint. Rejects as `allEndpoints` does. */
export async function endpointOf<Name extends EndpointName>(name: Name): Promise<Endpoints[Name]> {
  const endpoints: Partial<Endpoints> = isEntrance(name) ? entrance : await allEndpoints();
  return endpoints[name] as Endpoints[Name];
}

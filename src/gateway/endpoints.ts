/** Gives the gateway the contract's endpoints: those for signing in are bundled, all others load together on the first call. */
import { signInEndpoints } from "#contract/sign-in-endpoints.ts";
import type { EndpointName, Endpoints } from "#contract/endpoints.ts";

type SignInEndpointName = keyof typeof signInEndpoints;

const isSignInEndpoint = (name: EndpointName): name is SignInEndpointName => Object.hasOwn(signInEndpoints, name);

/** Every endpoint. Rejects when the file does not load; the next call tries again. */
export async function allEndpoints(): Promise<Endpoints> {
  return (await import("#contract/endpoints.ts")).endpoints;
}

/** One endpoint. Rejects as `allEndpoints` does. */
export async function endpointOf<Name extends EndpointName>(name: Name): Promise<Endpoints[Name]> {
  const endpoints: Partial<Endpoints> = isSignInEndpoint(name) ? signInEndpoints : await allEndpoints();
  return endpoints[name] as Endpoints[Name];
}

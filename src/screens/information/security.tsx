/** The part of the settings about signing in: passkeys and devices. */
import { Devices } from "./devices.tsx";
import { Passkeys } from "./passkeys.tsx";

export function Security() {
  return (
    <>
      <Passkeys />
      <Devices />
    </>
  );
}

/** The member's time frame, one for the charts of all instruments, and the keys that choose it. */
import { useEffect, useEffectEvent } from "react";
import { FRAMES } from "#contract/preference.ts";
import type { Frame } from "#contract/preference.ts";
import { preferences, savePreferences } from "#src/streams/preferences.ts";
import { useResource } from "#src/streams/resource.ts";
import { isTyping } from "./is-typing.ts";

/** The chosen time frame (`usual` until one is chosen; null while the preferences load), and a function that chooses another. */
export function useFrame(usual: Frame): [frame: Frame | null, choose: (frame: Frame) => void] {
  const { value, state } = useResource(preferences);
  const frame = value ? (value.frame ?? usual) : state === "loading" ? null : usual;
  return [frame, chooseFrame];
}

const chooseFrame = (frame: Frame): void => void savePreferences({ frame });

/** Keys 1 to 9 choose from the row of time frames. */
export function useFrameKeys(choose: (frame: Frame) => void): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent): void => {
    const frame = FRAMES[Number(event.key) - 1];
    if (frame && !isTyping(event)) choose(frame);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}

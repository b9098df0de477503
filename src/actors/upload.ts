/** The upload of one photo: shrunk in a worker, sent, and its state for the uploader; a failed one can be tried again. */
import { useEffect, useRef, useState } from "react";
import { call } from "#src/gateway/api.ts";
import { refusalText } from "#src/gateway/refusal.ts";
import { shrinkPhoto } from "#src/streams/worker.ts";
import type { ShrunkPhoto } from "#src/streams/worker.ts";

/** One file in the uploader. */
export interface Upload {
  file: File;
  status: "preparing" | "uploading" | "failed" | "uploaded";
  /** Why it failed, translated; null for a reason without words. */
  message: string | null;
  /** The shrunk picture in base64, once it is ready. */
  content: string | null;
  /** Shows the picture. */
  url: string | null;
  /** Its id at the broker, once it is uploaded. */
  id: string | null;
}

const urlOf = ({ content }: ShrunkPhoto): string => `data:image/jpeg;base64,${content}`;

export interface Uploading {
  upload: Upload | null;
  choose: (file: File) => void;
  retry: () => void;
}

/** Upload a photo. A file chosen later takes the place of an earlier one, whose answer is ignored. */
export function useUpload(onChange: (id: string | null) => void): Uploading {
  const [upload, setUpload] = useState<Upload | null>(null);
  const latest = useRef(0);
  useEffect(() => () => void (latest.current += 1), []);
  const start = async (file: File): Promise<void> => {
    latest.current += 1;
    const turn = latest.current;
    const show = (change: Partial<Upload>): boolean => {
      if (turn !== latest.current) return false;
      setUpload((before) => ({ file, status: "preparing", message: null, content: null, url: null, id: null, ...before, ...change }));
      return true;
    };
    show({ file, status: "preparing", message: null, content: null, url: null, id: null });
    onChange(null);
    const photo = await shrinkPhoto(file).catch(() => null);
    if (!photo) {
      const message = await refusalText({ code: "GEN_UPLOAD_RESELECT", params: {}, msg: "" });
      show({ status: "failed", message });
      return;
    }
    if (!show({ status: "uploading", content: photo.content, url: urlOf(photo) })) return;
    const outcome = await call("uploadPhoto", { content: photo.content }, { shownByCaller: true });
    if (!outcome.ok) {
      show({ status: "failed", message: outcome.refused ? await refusalText(outcome.refused) : null });
    } else if (show({ status: "uploaded", id: outcome.data.id })) onChange(outcome.data.id);
  };
  return { upload, choose: (file) => void start(file), retry: () => void (upload && start(upload.file)) };
}

/** Reads photos: decodes whatever was uploaded within limits, re-encodes it without metadata, and judges whether a card can be read from it. */
import sharp from "sharp";
import type { IdentityReason } from "#contract/identity.ts";
import { PHOTO_SIZE } from "#contract/identity.ts";
import { Gate } from "#server/kernel/concurrency-gate.ts";
import { Refusal } from "#server/kernel/refusal.ts";

/** A decoded picture takes four bytes a pixel: 40 megapixels are 160 MB for a moment, more than any phone's photo after shrinking. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 2_000;
const QUALITY = 85;
const FORMATS = new Set(["jpeg", "png", "webp", "heif", "avif"]);
/** Pictures decoded at once. */
const gate = new Gate({ atOnce: 1, waiting: 16, refusal: "GEN_SYSTEM_BUSY" });

/** Thresholds of the grey values (0 to 255) of a card in ordinary light. */
const DARK_MEAN = 28;
const BLANK_DEVIATION = 10;
/** Deviation of the Laplacian; text in focus has several times as much. */
const LEAST_SHARPNESS = 0.9;
/** Mean difference of grey values, stretched to the full range, below which two photos show the same. */
const SAME_DIFFERENCE = 12;
const THUMB = 24;

export interface Photo {
  content: Buffer;
  width: number;
  height: number;
}

const open = (content: Buffer) => sharp(content, { limitInputPixels: MAX_PIXELS, failOn: "error", animated: false, pages: 1 });

/**
 * Decodes an upload and encodes it again as an upright JPEG of at most 2,000 pixels a side, without any metadata.
 * @throws Refusal `GEN_UPLOAD_RESELECT` for anything that is no picture, or too large a one
 */
export function cleanPhoto(content: Buffer): Promise<Photo> {
  return gate.run("all", async () => {
    try {
      const { format } = await open(content).metadata();
      if (!FORMATS.has(format)) throw new Error(`${format} is not accepted`);
      const image = open(content).rotate().resize({ width: MAX_SIDE, height: MAX_SIDE, fit: "inside", withoutEnlargement: true });
      const { data, info } = await image.flatten({ background: "#fff" }).jpeg({ quality: QUALITY }).toBuffer({ resolveWithObject: true });
      return { content: data, width: info.width, height: info.height };
    } catch (error) {
      throw new Refusal("GEN_UPLOAD_RESELECT", {}, "content", { cause: error });
    }
  });
}

const thumbOf = (content: Buffer): Promise<Buffer> =>
  open(content).greyscale().resize(THUMB, THUMB, { fit: "fill" }).normalise().raw().toBuffer();

/** What is wrong with one photo; null for nothing. */
async function flawOf({ content, width, height }: Photo): Promise<IdentityReason | null> {
  if (width < PHOTO_SIZE.width || height < PHOTO_SIZE.height) return "tooSmall";
  const { channels, sharpness } = await open(content).greyscale().stats();
  const { mean = 0, stdev = 0 } = channels[0] ?? {};
  if (mean < DARK_MEAN) return "dark";
  if (stdev < BLANK_DEVIATION) return "blank";
  return sharpness < LEAST_SHARPNESS ? "blurred" : null;
}

/** The sandbox reviewer: the first honest reason against the two photos, or null. */
export function judgePhotos(front: Photo | null, back: Photo | null): Promise<IdentityReason | null> {
  return gate.run("all", async () => {
    if (!front || !back) return "missing";
    const flaw = (await flawOf(front)) ?? (await flawOf(back));
    if (flaw) return flaw;
    const [one, other] = [await thumbOf(front.content), await thumbOf(back.content)];
    const difference = one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
    return difference < SAME_DIFFERENCE ? "same" : null;
  });
}

/** Short tones made in code: two rising notes for good news, one low pair for what needs the member. */

export type Tone = "fill" | "end" | "urgent";

/** Frequencies in hertz, one after the other. */
const NOTES: Record<Tone, readonly number[]> = { fill: [880, 1_175], end: [660], urgent: [440, 330, 440] };
const NOTE_S = 0.12;
const LOUDNESS = 0.12;

let context: AudioContext | null = null;

/** Play a tone. Browsers allow sound only after the member has used the page; until then it is silent. */
export async function playTone(tone: Tone): Promise<void> {
  if (typeof AudioContext !== "function") return;
  context ??= new AudioContext();
  await context.resume();
  NOTES[tone].forEach((hertz, at) => playNote(hertz, at));
}

function playNote(hertz: number, at: number): void {
  if (!context) return;
  const start = context.currentTime + at * NOTE_S;
  const volume = context.createGain();
  // Fades in and out, because a tone that is cut clicks.
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(LOUDNESS, start + NOTE_S / 6);
  volume.gain.linearRampToValueAtTime(0, start + NOTE_S);
  volume.connect(context.destination);
  const oscillator = context.createOscillator();
  oscillator.frequency.value = hertz;
  oscillator.connect(volume);
  oscillator.start(start);
  oscillator.stop(start + NOTE_S);
}

/** Moments of Taipei time written as text. */

/** Epoch milliseconds of a Taipei date and time such as `2026-11-18T13:30:00`. */
export const taipei = (text: string): number => Date.parse(`${text}+08:00`);

/** One open point of the service document: the readings the emulator can play, first the default. */
export interface Quirk {
  readonly name: string;
  readonly readings: readonly [string, ...string[]];
  /** The sentence of the document it stands for. */
  readonly sentence: string;
}

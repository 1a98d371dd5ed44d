/** The naive behavior put back in one place, and who should notice. */
export interface Mutant {
  /** Name in the rules, as test titles cite it. */
  readonly rule: string;
  /** What the program would do then. */
  readonly what: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Test files, or folders of them, that should fail. */
  readonly tests: readonly string[];
  /** Whether the tests run the built program. */
  readonly build?: boolean;
}

/** A textual patch that puts naive behavior back, and the tests that must notice it. */
export interface Mutant {
  /** The code of the rule, as test titles cite it. */
  readonly rule: string;
  /** What the program does with the patch. */
  readonly what: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** Test files or folders that must fail. */
  readonly tests: readonly string[];
  /** True if the tests run the built program. */
  readonly build?: boolean;
}

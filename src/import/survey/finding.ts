/** A finding of a check: the problem, its place, the effect, and the flag that changes it. */
export interface Finding {
  readonly check: string;
  readonly level: 'pass' | 'warn' | 'stop' | 'skipped';
  readonly message: string;
  /** The flags of the likeliest answer, or the whole command once the command line is known. Prose if no flag helps. */
  readonly hint?: string | undefined;
  /** The flags of the hint as shell text, if the hint is a whole command. */
  readonly flags?: string | undefined;
  /** When the hint is right, if that isn't obvious. */
  readonly when?: string | undefined;
  /** What the user can do outside svc in place of the flags. Then the line as typed is the answer. */
  readonly instead?: string | undefined;
  /** Other answers, each with the case in which it is right. */
  readonly otherwise?: readonly OtherAnswer[];
  readonly examples?: readonly FindingExample[];
  readonly total?: number;
  /** Values whose meaning only the user knows, if there are few. */
  readonly values?: readonly OpenValue[] | undefined;
}

export interface OpenValue {
  /** The header of its column. Undefined if several columns hold it. */
  readonly column: string | undefined;
  readonly value: string;
  readonly rows: number;
  readonly likely: string;
  /** The value of `--map` that leaves the column out. */
  readonly ignore: string | undefined;
}

export interface OtherAnswer {
  readonly when: string;
  readonly flags: string;
}

export interface FindingExample {
  readonly file: string;
  readonly line: number;
  readonly column?: string | undefined;
  readonly value?: string | undefined;
}

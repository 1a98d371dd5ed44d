/** What a check found: the problem, where it is, what it causes, and the flag that changes it. */
export interface Finding {
  readonly check: string;
  readonly level: 'pass' | 'warn' | 'stop' | 'skipped';
  readonly message: string;
  /**
   * The flags of the most likely answer, such as `--map Mail=email`. Later svc replaces them by the whole command. A
   * sentence if no flag helps.
   */
  readonly hint?: string | undefined;
  /** The flags as shell text, after `hint` was replaced by the whole command. */
  readonly flags?: string | undefined;
  /** The condition under which the hint is right, if it is not obvious. */
  readonly when?: string | undefined;
  /** What the user can do outside of svc instead of adding flags. The command then stays as the user typed it. */
  readonly instead?: string | undefined;
  /** Flags that the user can choose instead of `hint`, each with its condition. */
  readonly otherwise?: readonly OtherAnswer[];
  /**
   * True for an input without a state beside inputs with states. svc does not skip those of its people whom the others
   * subscribe. Unset for an opt-out list without rejected rows, because svc skips all people whom it names.
   */
  readonly hasStatesElsewhere?: true;
  readonly examples?: readonly FindingExample[];
  readonly total?: number;
  /** The values that svc asks about, each with its most likely state. Undefined if they are too many. */
  readonly values?: readonly OpenValue[] | undefined;
}

/** A value whose meaning only the user knows. `likely` is the most likely state. */
export interface OpenValue {
  /** The header of the column. Undefined if several columns have the value. */
  readonly column: string | undefined;
  readonly value: string;
  /**
   * The value as `--status-map` takes it. If the list has several inputs, the name of the input comes first:
   * `left.csv:cold`.
   */
  readonly answer: string;
  readonly rows: number;
  readonly likely: string;
  /** The value of `--map` with which svc ignores the column. */
  readonly ignore: string | undefined;
}

/** Flags, and the condition under which they are right. */
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

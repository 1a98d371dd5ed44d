import { platformIds } from '../../platforms/registry.ts';

export const MAPPING_HELP = `MAPPING

How svc maps the columns of a list. The plan shows it before anything is
sent: svc migrate list.csv --dry-run

PLATFORMS
  --from <platform>         recognized by the columns of the list; one of

${columns(platformIds())}

COLUMNS
  --map <column=field>      field: email, first_name, last_name, name, status,
                            unsubscribed_at, reason, topics.<top_...>,
                            attributes.<key>, ignore. Split at the last "=". A
                            column may be its number where there is no header.
                            Several columns may be email: the first usable
                            address of a row is taken, in the order of the
                            flags, and an opt-out holds for all of them.
  --allow-joined-files      rejects rows that look like the header of another
                            list instead of stopping.
  --attributes <a,b|all|none>
                            which columns become attributes. Keys are
                            normalized (Company / Org becomes company_org). Two
                            columns that would become one key stop the run.
  --topic-value <column=value>
                            what a cell of a topics. column is sent as.
  --max-new-fields <n>      stop when more custom fields than this would be
                            created (50).

STATES
  --status-map <word=state> state: subscribed, unsubscribed, pending, bounced,
                            complained, suppressed, skip. "=state" answers the
                            blank. An unknown word stops the run.
  --default-status [file=]<state>
                            for rows of inputs that hold no state anywhere.

  the row says                    suppression    contact
  subscribed                                     created or updated; an
                                                 existing opt-out stays
  left this list                                 unsubscribed, with its date
  left everything, blocked        unsubscribed
  hard bounce, cleaned            bounced
  complaint                       complained
  soft bounce, unconfirmed                       skipped, and reported

DATES
  --timezone <zone>, --date-order <ymd|dmy|mdy>

ONCE FOR ALL
  --save-mapping <file> keeps all answers as JSON; --mapping <file> gives them
  again, from cron for instance. Flags outrank the file.
`;

// Four in a line, indented, within 80 characters.
function columns(words: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(words.length / 4) }, (_, line) => words.slice(4 * line, 4 * line + 4));
  return lines
    .map(
      (line) =>
        `  ${line
          .map((word) => word.padEnd(18))
          .join('')
          .trimEnd()}`,
    )
    .join('\n');
}

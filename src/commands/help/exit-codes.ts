/** `svc help exit-codes` */
export const EXIT_CODES_HELP = `EXIT CODES

    0  ok           Done. Folded duplicates, rows skipped by policy, addresses
                    that were suppressed already and known enrolment outcomes
                    are no failures.
    1  failed       Network or service gave up part-way. The command that goes
                    on is printed.
    2  usage        Flags, arguments, an id that doesn't exist, an input that
                    can't be read.
    3  partial      Finished, but some rows were rejected, failed or are
                    unknown. Also: webhooks ls --failing found an endpoint,
                    webhooks verify found no valid signature, doctor ends with
                    a warning.
    4  auth         Key missing, malformed, unknown or revoked; a scope is
                    missing; a test key.
    5  refused      A check said stop. Nothing was sent. Each stop names the
                    flag that lifts it.
    6  busy         Another run holds this destination; --wait <duration> waits
                    for it.
    7  stopped      The service refused for a reason that a repeat won't cure
                    (plan limit, audience gone, a flow that appeared,
                    --max-failures). The rest is unsent.
    8  unverified   What was read back differs from what was sent.
   70  bug          An error of ours.
   75  later        Waiting would pass --max-wait; go on at the time that is
                    printed.
  129  interrupted  SIGHUP: what was in flight is recorded.
  130  interrupted  SIGINT: the same.
  143  interrupted  SIGTERM: the same.

Where several apply: 70, then signals, 4, 7, 75, 1, 8, 3, 0. A dry run ends
with 0 or 5 (2 for unreadable input).

With --json an error is one object on stderr:
  {"error":{"code","message","hint","exit_code","request_id"}}
Decide on "code" and "exit_code"; "message" is for people and may change.

In a shell:
  svc webhooks ls --failing 3 || mail -s "webhooks" ops@example.com < /dev/null
`;

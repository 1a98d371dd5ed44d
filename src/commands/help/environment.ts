/** `svc help environment` */
export const ENVIRONMENT_HELP = `ENVIRONMENT

Precedence, always: flag, then environment, then profile, then default. An
empty variable counts as unset. Nothing in the working directory is read as
configuration. See what is in force: svc auth status

  SVC_BASE_URL      root of the service (--base-url). https, or http to this
                    machine
  SVC_API_KEY       the API key itself. There is no flag that takes it
  SVC_API_KEY_FILE  file that holds the key (--api-key-file)
  SVC_API_KEY_ORIGIN
                    the one origin that such a key may be sent to. Completion
                    of ids with TAB asks the service only where this, or a
                    profile, binds the key to it
  SVC_PROFILE       profile of the configuration file (--profile)
  SVC_MCP_URL       MCP endpoint (--mcp-url)
  SVC_PLAN          free or paid (--plan)
  SVC_STATE_DIR     where runs are kept (--state-dir)
  XDG_STATE_HOME    else runs are kept in svc below it, else in
                    ~/.local/state/svc
  XDG_CONFIG_HOME   profiles are kept in svc/config.json below it, else in
                    ~/.config/svc/config.json
  NO_COLOR          no colours (--no-color)
  FORCE_COLOR       colours also without a terminal
  HTTPS_PROXY       a proxy, except for this machine and what NO_PROXY names

A key in a profile is bound to the origin it was kept for and is sent nowhere
else.

In cron's empty environment:
  SVC_API_KEY_FILE=/etc/svc/key
  SVC_BASE_URL=https://...
  SVC_STATE_DIR=/var/lib/svc
  0 7 * * * svc webhooks ls --failing
  0 3 * * * svc contacts import /srv/list.csv --mapping /srv/answers.json --yes
Where no terminal can ask, whatever writes a list or mails people needs --yes.
`;

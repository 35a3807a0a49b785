#!/bin/sh
# Applies a campaign, commits its state, and pushes it. The arguments are those of `campaign apply`.
set -eu
trap : HUP INT TERM                  # if the script is stopped, it still commits what was recorded until then
told=$(mktemp)
export told
trap 'rm -f "$told"' EXIT

pull() {                             # takes the work of others; if two states conflict, it gives up
  git pull --quiet --no-rebase --no-edit || { git merge --abort 2> /dev/null; return 1; }
}

pull
git commit --quiet --allow-empty --message 'campaign: can git commit here?'   # name, rights, disk, hooks, signature …
can_push=0
git push --quiet --dry-run || can_push=$?
git reset --quiet --soft HEAD~1      # … that commit was only to know
[ $can_push -eq 0 ] || exit $can_push

code=0
campaign apply --quiet --notify 'echo "$CAMPAIGN_CHANGED $CAMPAIGN_SUMMARY" > "$told"' "$@" || code=$?
read -r changed summary < "$told" || :
case $code in                        # these wrote nothing to the state, unless another manifest did
  64) exit 64 ;;
  65 | 75 | 76) [ "$changed" = true ] || exit $code ;;
esac

{                                    # adds these files, also those that .gitignore names
  git ls-files -z --cached --others -- '*.state.jsonl' ':(exclude)*.campaign/*'
  git ls-files -z --cached --others -- '*.campaign/errored-*.jsonl' '*.campaign/*.replaced-*'
} | git update-index -z --add --remove --stdin
git diff --cached --quiet || git commit --quiet --message "campaign: ${summary:-apply ended with $code}"
for attempt in 1 2 3; do
  git push --quiet && exit $code
  pull || break
done
git push --quiet origin "HEAD:refs/heads/state-$(git rev-parse --short HEAD)"   # a branch of its own
exit 1

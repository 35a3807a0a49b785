#!/bin/sh
# Applies a campaign, commits the files of its state, and pushes them. The arguments are those of `campaign apply`.
set -eu
trap : HUP INT TERM                  # if the script is stopped, it still commits what was recorded until then
temp=$(mktemp -d)
export temp GIT_LITERAL_PATHSPECS=1
# A git hook may have set these. They would let git commit the state to another repository or place.
unset GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_NAMESPACE
unset GIT_ICASE_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS     # each of them forbids literal paths
trap 'rm -rf "$temp"' EXIT
touch "$temp/files" "$temp/copies" "$temp/told"

why() { printf '%s\n' "$*" > "$temp/why"; }

give_up() {                          # says why, also with the --heartbeat and the --notify of the arguments
  campaign state files --refuse "$(cat "$temp/why")" "$@" || exit $?
  exit 1
}

list() {                             # the files of the state, whether they are there or not
  code=0
  campaign state files --format text "$@" > "$temp/listed" 2> "$temp/said" || code=$?
  [ $code -eq 0 ] || [ -s "$temp/listed" ]
}

locate() {                           # the git working copies that have these files, a submodule before what contains it
  while IFS= read -r file; do
    while [ -n "$file" ]; do
      why "$file is in no git working copy, so nothing was applied. Name a file in one with --state."
      copy=$(git -C "$(dirname "$file")" rev-parse --show-toplevel) || return
      printf '%s\n' "$file" >> "$temp/files"
      printf '%s\n' "$copy" >> "$temp/copies"
      outer=$(git -C "$copy" rev-parse --show-superproject-working-tree) || return
      file=${outer:+$copy}           # what contains a submodule records a commit of it, which is committed like a file
    done
  done < "$temp/listed"
  LC_ALL=C sort -ru -o "$temp/copies" "$temp/copies"
}

pull() {                             # takes in what others have pushed; a merge with conflicts is taken back
  merging=$(git rev-parse --quiet --verify MERGE_HEAD) || :
  before=$(git rev-parse --quiet --verify HEAD) || :
  # A stash would lay aside, and forget, what a state has that was not committed yet.
  if git -c merge.autoStash=false pull --quiet --no-rebase --no-edit > "$temp/said" 2>&1; then
    goes_on && return
    git reset --quiet --keep "$before"
    return 1
  fi
  if [ -z "$merging" ] && git rev-parse --quiet --verify MERGE_HEAD > /dev/null; then
    why "Here and elsewhere the same was changed in $PWD: $(git diff --name-only --diff-filter=U | tr '\n' ' ')-" \
      "the merge was taken back. Two states cannot become one: somebody has to choose one of them, as" \
      "'Two copies of one state' in docs/state-in-git.md says."
    git merge --abort
  else
    cat "$temp/said" >&2
    why "git cannot pull in $PWD, and says above why. If that is because of a state, another machine went on from the" \
      "same one: 'Two copies of one state' in docs/state-in-git.md says what to do."
  fi
  return 1
}

goes_on() {                          # whether a merge of that pull has what both sides recorded: git may be told to take one
  git rev-parse --quiet --verify HEAD^2 > "$temp/said" && [ "$(git rev-parse HEAD^1)" = "$before" ] || return 0
  base=$(git merge-base HEAD^1 HEAD^2) || base=$(git hash-object -t tree --stdin < /dev/null)
  for side in HEAD^1 HEAD^2; do
    git diff -z --name-only --no-renames --diff-filter=AM "$base" "$side" | tr '\0' '\n' > "$temp/changed"
    while IFS= read -r file; do
      git cat-file blob "$side:$file" 2> /dev/null | head -n 1 | grep -q '^{"format":.*"lineage":' || continue
      git cat-file blob "$side:$file" > "$temp/side"
      git cat-file blob "HEAD:$file" 2> /dev/null | head -c "$(wc -c < "$temp/side")" | cmp -s - "$temp/side" && continue
      why "Here and elsewhere $file was changed in $PWD, and git merged it as a setting says that lets it drop one of both" \
        "(branch.<name>.mergeOptions, pull.twohead, merge.default, or merge in .gitattributes): the merge was taken back." \
        "Two states cannot become one: 'Two copies of one state' in docs/state-in-git.md says what to do."
      return 1
    done < "$temp/changed"
  done
}

is_whole() {                         # whether no state of an earlier run is still on a branch of its own (see aside)
  git ls-remote --quiet --heads "$(remote)" 'state-*' > "$temp/said" || return
  while read -r commit branch; do      # somebody may have gone on with it, so only its name tells
    name=${branch#refs/heads/state-}
    case $name in *[!0-9a-f]*) continue ;; esac
    [ ${#name} -ge 40 ] || continue    # a date such as 20261127 is no commit
    git merge-base --is-ancestor "$commit" HEAD 2> /dev/null && continue
    why "An earlier run could not push its state to where others pull from, and left it on the branch" \
      "${branch#refs/heads/} of $(remote). Merge that branch, or delete it if it is not needed. Nothing was applied."
    return 1
  done < "$temp/said"
}

is_shared() {                        # whether what is pushed goes where others pull from
  head=$(git symbolic-ref HEAD) || return
  merge=$(git config "branch.${head#refs/heads/}.merge") || return
  from=$(git ls-remote --get-url "$(remote)") || return
  to=$(git for-each-ref --format='%(push:remotename)' "$head") || return
  git remote get-url --push --all "$to" > "$temp/said" 2> /dev/null || git ls-remote --get-url "$to" > "$temp/said" || return
  [ "$from" != . ] && grep -qxF -e "$from" "$temp/said" && grep -qF -e "	$head:$merge	" "$temp/pushed" && return
  why "In $PWD, git pulls $merge, and pushes to another branch or another URL than that, so a clone that pulls would not get" \
    "the state, and would pay again. Nothing was applied. Let the branch that is checked out be pushed to the branch of a" \
    "server that it pulls from (branch.<name>.remote, branch.<name>.merge, branch.<name>.pushRemote, push.default," \
    "remote.pushDefault, remote.<name>.push, remote.<name>.pushurl, url.<base>.pushInsteadOf)."
  return 1
}

remote() { head=$(git symbolic-ref HEAD) && git config "branch.${head#refs/heads/}.remote"; }

can_commit() {                       # name, rights, disk, hooks, signature, branch, key …
  why "git cannot commit or push in $PWD, and says above why. Nothing was applied."
  at=$(git rev-parse HEAD)
  git commit --quiet --only --allow-empty --message 'campaign: can git commit here?' || return
  made=$(git rev-parse HEAD)
  pushed=0
  git push --dry-run --porcelain > "$temp/pushed" || { pushed=1; cat "$temp/pushed" >&2; }
  # That commit was only to know. It stays if another script has committed the state after it.
  [ "$(git rev-parse "$made^")" != "$at" ] || git update-ref HEAD "$at" "$made" || :
  return $pushed
}

keeps() {                            # whether git keeps the bytes of a state: an attribute or a filter may change or refuse them
  printf '%s\n' 1 2 3 > "$temp/sample"
  as_it_is=$(git hash-object --no-filters --stdin < "$temp/sample")
  while IFS= read -r file; do
    why "git does not keep $file as it is (core.safecrlf, or filter, ident or working-tree-encoding in .gitattributes)," \
      "so others would not get this state, and would pay again. Nothing was applied. Write" \
      "'*.state.jsonl -text -filter -ident' there."
    if [ ! -d "$file" ]; then          # what they make of other lines than the sample's shows only when it is paid
      attributes=$(cd "$(dirname "$file")" && git check-attr filter ident -- "$(basename "$file")") || return
      ! printf '%s\n' "$attributes" | grep -qv -e ': unspecified$' -e ': unset$' || return
    fi
    kept=$(cd "$(dirname "$file")" && git hash-object -w --path "$(basename "$file")" --stdin < "$temp/sample") || return
    [ "$kept" = "$as_it_is" ] || return
    [ ! -d "$file" ] || continue
    why "git merges $file by a driver of its own (merge in .gitattributes), which may drop one of two states without a" \
      "word. Nothing was applied. Take that attribute away from states."
    case $(cd "$(dirname "$file")" && git check-attr merge -- "$(basename "$file")") in
      *': unspecified' | *': unset' | *': set') ;;
      *) return 1 ;;
    esac
  done < "$temp/files"
}

commit() {                           # exactly these files of this working copy; the arguments are settings for git
  settings=$*
  set --
  while IFS= read -r file; do
    [ "$(git -C "$(dirname "$file")" rev-parse --show-toplevel)" = "$PWD" ] || continue
    [ ! -e "$file" ] && [ -z "$(git ls-files -- "$file")" ] || set -- "$@" "$file"
  done < "$temp/files"
  [ $# -gt 0 ] || return 0
  git update-index --force-remove -- "$@" || return     # a mark such as assume-unchanged is gone, too
  git update-index --add --remove -- "$@" || return     # also what .gitignore names
  git diff --cached --quiet -- "$@" && return
  git ls-files --stage -- "$@" > "$temp/meant"
  for file; do
    [ ! -f "$file" ] || { mkdir -p "$temp/kept${file%/*}" && cp "$file" "$temp/kept$file"; } || return
  done
  git $settings commit --quiet --only --message "campaign: $message" -- "$@" && has_meant "$@" && return
  for file; do                       # gets back what a hook has changed; what another run has added since then stays
    [ -f "$temp/kept$file" ] || continue
    head -c "$(wc -c < "$temp/kept$file")" "$file" 2> /dev/null | cmp -s - "$temp/kept$file" || cp "$temp/kept$file" "$file"
  done
  return 1
}

has_meant() {                        # whether the commit has these files as they were before the hooks of git ran
  GIT_INDEX_FILE=$temp/index git read-tree HEAD || return
  GIT_INDEX_FILE=$temp/index git ls-files --stage -- "$@" | cmp -s - "$temp/meant" && return
  why "A hook of git changes the files of the state in $PWD while they are committed."
  return 1
}

push() {
  for attempt in 1 2 3; do
    git push --quiet 2> "$temp/refused" && return
    pull || return
  done
  cat "$temp/refused" >&2
  return 1
}

aside() {                            # to a branch of its own, so that the state is not lost with this machine
  where="only in $PWD: keep it"
  unhooked="-c core.hooksPath=/dev/null -c commit.gpgSign=false -c push.gpgSign=false"
  if commit $unhooked; then
    branch=state-$(git rev-parse HEAD)
    git $unhooked push --quiet "$(remote)" "HEAD:refs/heads/$branch" && where="on the branch $branch of $(remote)"
  fi
  why "$(cat "$temp/why") What this run has recorded is $where."
  return 1
}

here=$(git rev-parse --show-toplevel 2> /dev/null) || here=
[ -z "$here" ] || (cd "$here" && pull) || give_up "$@"
list "$@" || { cat "$temp/said" >&2; exit $code; }
locate || give_up "$@"
while IFS= read -r copy <&3; do
  (cd "$copy" && { [ "$copy" = "$here" ] || pull; } && can_commit && keeps && is_shared && is_whole) || give_up "$@"
done 3< "$temp/copies"

code=0
campaign apply --quiet --notify 'echo "$CAMPAIGN_CHANGED $CAMPAIGN_SUMMARY" > "$temp/told"' "$@" || code=$?
read -r changed message < "$temp/told" || :
case $code in                        # these wrote nothing to the state, unless another manifest did
  64) exit 64 ;;
  65 | 75 | 76) [ "$changed" = true ] || exit $code ;;
esac
message=${message:-apply ended with $code}

ended=$code
list "$@" && locate || :             # what a run that failed has kept is new
failed=
while IFS= read -r copy <&3; do
  case $failed in "$copy"/*) continue ;; esac           # others do not find the commit of its submodule
  (cd "$copy" && why "git cannot commit or push in $PWD, and says above why." && commit && push || aside) || failed=$copy
done 3< "$temp/copies"
[ -z "$failed" ] || give_up "$@"
exit $ended

# Completion of campaign for bash, printed by `campaign completion bash`.

# campaign reads the line itself: nothing that is typed, and no name in a file, is run or expanded here.
_campaign() {
  local line files='' found
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $files ]]; then files=$line; else COMPREPLY+=("${line%%$'\t'*}"); fi
  done < <(command campaign __complete "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
  # The beginning of a word: more follows it, and no blank.
  if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[/+=] ]]; then compopt -o nospace 2>/dev/null; fi
  while IFS= read -r found; do
    COMPREPLY+=("$found")
    compopt -o filenames 2>/dev/null
  done < <(_campaign_files "$files" "$2")
}

_campaign_files() {
  case $1 in
    any) compgen -f -- "$2" ;;
    folders) compgen -d -- "$2" ;;
    yaml)
      compgen -d -- "$2"
      compgen -f -X '!*.yaml' -- "$2"
      compgen -f -X '!*.yml' -- "$2"
      ;;
  esac
}

complete -F _campaign campaign

#compdef campaign
# Completion of campaign for zsh, printed by `campaign completion zsh`.

# campaign reads the line itself: nothing that is typed, and no name in a file, is run or expanded here.
_campaign() {
  local line files word about added=1
  local -a whole beginnings
  while IFS= read -r line; do
    if [[ -z $files ]]; then
      files=$line
      continue
    fi
    word=${${line%%$'\t'*}//:/\\:}
    about=${line#*$'\t'}
    # The beginning of a word: more follows it, and no blank.
    if [[ $word == *[/+=] ]]; then beginnings+=("$word"); else whole+=("$word${about:+:$about}"); fi
  done < <(command campaign __complete "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null </dev/null)
  (( $#whole + $#beginnings )) && _describe -t words word whole -- beginnings -S '' && added=0
  case $files in
    any) _files && added=0 ;;
    folders) _files -/ && added=0 ;;
    yaml) _files -g '*.(yaml|yml)' && added=0 ;;
  esac
  return added
}

if [[ ${funcstack[1]} == _campaign ]]; then
  _campaign "$@"
elif (( $+functions[compdef] )); then
  compdef _campaign campaign
else
  print -u2 'campaign: the completion needs compinit. Write `autoload -Uz compinit && compinit` before this line.'
fi

# The table of times: show_times STAGE... prints the steps of these stages that ran, with their seconds.

show_times() {
  printf '\n%-14s %-62s %s\n' stage step seconds
  local stage
  for stage in "$@"; do
    [ ! -s "$target/times/$stage.tsv" ] || awk -F'\t' '{ printf "%-14s %-62s %7d\n", $1, $2, $3 }' "$target/times/$stage.tsv"
  done
}

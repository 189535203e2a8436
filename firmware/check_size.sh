#!/bin/sh
# check_size.sh SIZE-PROGRAM IMAGE FLASH-LIMIT RAM-LIMIT: prints what an image takes of flash and
# RAM (without the stack), and fails when it is more than its limits, in bytes.
set -eu
"$1" "$2" | awk -v image="$(basename "$2" .elf)" -v flash_limit="$3" -v ram_limit="$4" '
    NR == 2 {
        flash = $1 + $2
        ram = $2 + $3
        printf "%s: %d bytes of flash (limit %d), %d bytes of RAM (limit %d)\n",
            image, flash, flash_limit, ram, ram_limit
        if (flash > flash_limit || ram > ram_limit) {
            print image " is too large." > "/dev/stderr"
            exit 1
        }
    }'

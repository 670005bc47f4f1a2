#!/bin/sh
# applets.sh: prints the commands that busybox is to be in the guest.
# SPDX-License-Identifier: MIT
echo awk cat chmod cp cut diff echo env expr false grep head kill ls mkdir mount nice ps rm sed seq sh sleep sort \
	sysctl tail tee test tr true uname uniq wc

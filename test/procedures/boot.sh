#!/bin/bash
# A second Debian inside this one, with a systemd of its own: everything that is here is there, what is changed there
# stays there. Run by machine.ts in new namespaces; the arguments are an empty folder and that of the clone.
set -euo pipefail
place=$1
clone=$2
mount -t tmpfs tmpfs "$place"
mkdir "$place/changes" "$place/work" "$place/root"
root=$place/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/changes,workdir=$place/work" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,ro,bind "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
else
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  mkdir "$root/sys/fs/cgroup/systemd"
  mount -t cgroup -o none,name=systemd cgroup "$root/sys/fs/cgroup/systemd"
fi
# The clone stays there, also where it is below /tmp.
mkdir "$place/clone"
mount --bind "$root$clone" "$place/clone"
for folder in run tmp; do mount -t tmpfs -o mode=1777 tmpfs "$root/$folder"; done
mkdir -p "$root$clone"
mount --bind "$place/clone" "$root$clone"
chmod 755 "$root/run"
mkdir "$root/run/lock"
mount --rbind /dev "$root/dev"
ip link set lo up
# Nothing starts by itself, and nothing touches the kernel that both machines share.
rm -rf "$root"/etc/systemd/system/*.wants
for unit in systemd-binfmt.service proc-sys-fs-binfmt_misc.automount proc-sys-fs-binfmt_misc.mount \
  systemd-sysctl.service systemd-modules-load.service systemd-udevd.service systemd-udev-trigger.service \
  systemd-udevd-control.socket systemd-udevd-kernel.socket systemd-remount-fs.service systemd-tmpfiles-setup-dev.service \
  sys-kernel-debug.mount sys-kernel-tracing.mount sys-kernel-config.mount sys-fs-fuse-connections.mount \
  dev-hugepages.mount dev-mqueue.mount tmp.mount; do
  ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
# What npm needs to reach its registry from here is kept by sudo.
echo 'Defaults env_keep += "npm_config_* http_proxy https_proxy HTTP_PROXY HTTPS_PROXY NODE_EXTRA_CA_CERTS"' \
  > "$root/etc/sudoers.d/npm"
# Not chroot: units with users of their own (PrivateUsers) do not start in one.
cd "$root"
pivot_root . mnt
umount -l /mnt
exec env -i container=other PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --unit=basic.target --log-target=null --show-status=false

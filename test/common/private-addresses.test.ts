import { describe, expect, it } from "vitest";
import {
  isAllowedAddress,
  isPrivate,
} from "../../src/common/private-addresses.js";

/** The first and the last address of each network, and those next to it. */
const networks: readonly (readonly [string, string[], string[]])[] = [
  ["this network", ["0.0.0.0", "0.255.255.255"], ["1.0.0.0"]],
  ["10/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0"]],
  [
    "carriers, 100.64/10",
    ["100.64.0.0", "100.127.255.255"],
    ["100.63.255.255", "100.128.0.0"],
  ],
  [
    "loopback",
    ["127.0.0.0", "127.255.255.255"],
    ["126.255.255.255", "128.0.0.0"],
  ],
  [
    "link-local, with the metadata of a cloud",
    ["169.254.0.0", "169.254.169.254", "169.254.255.255"],
    ["169.253.255.255", "169.255.0.0"],
  ],
  [
    "172.16/12",
    ["172.16.0.0", "172.31.255.255"],
    ["172.15.255.255", "172.32.0.0"],
  ],
  [
    "protocols, 192.0.0/24",
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.1.0", "191.255.255.255"],
  ],
  [
    "192.168/16",
    ["192.168.0.0", "192.168.255.255"],
    ["192.167.255.255", "192.169.0.0"],
  ],
  [
    "benchmarks, 198.18/15",
    ["198.18.0.0", "198.19.255.255"],
    ["198.17.255.255", "198.20.0.0"],
  ],
  [
    "groups and what is reserved, 224/3",
    ["224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255"],
    ["223.255.255.255"],
  ],
  [
    "IPv6 outside of 2000::/3",
    [
      "[::]",
      "[::1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::1]",
      "[1fff::1]",
      "[4000::1]",
      "[fc00::1]",
      "[fd00::1]",
      "[fe80::1]",
      "[ff02::1]",
    ],
    ["[2606:4700::1111]", "[3fff::1]"],
  ],
  [
    "IPv6 for protocols and examples",
    ["[2001::1]", "[2001:1ff::1]", "[2001:db8::1]", "[2002:7f00:1::]"],
    ["[2001:200::1]", "[2001:4860::8888]", "[2003::1]"],
  ],
  [
    "names",
    [
      "localhost",
      "a.localhost",
      "printer.local",
      "local",
      "a.internal",
      "nas.home.arpa",
      "nas.home.arpa.",
    ],
    ["example.com", "local.example.com", "mylocal", "internal.org"],
  ],
];

describe("the network of a host", () => {
  it.each(networks)(
    "%s is private, and what is next to it is public",
    (_, inside, outside) => {
      expect(inside.filter((host) => !isPrivate(host))).toEqual([]);
      expect(outside.filter((host) => isPrivate(host))).toEqual([]);
    },
  );
});

describe("a connection to an address", () => {
  it.each([
    ["1.1.1.1", [], true],
    ["2606:4700::1111", [], true],
    ["10.0.0.1", [], false],
    ["10.0.0.1", ["192.168.0.1"], true],
    ["10.0.0.1", ["192.168.0.1", "1.1.1.1"], false],
    ["10.0.0.1", ["1.1.1.1"], false],
    ["10.0.0.1", ["127.0.0.1"], true],
    ["127.0.0.1", ["10.0.0.1"], false],
    ["127.0.0.1", ["127.0.0.1", "10.0.0.1"], false],
    ["127.0.0.1", ["::1"], true],
    ["::1", ["127.0.0.1"], true],
    ["0.0.0.0", ["10.0.0.1"], false],
    ["0.0.0.0", ["127.0.0.1"], true],
    ["::", ["fd00::1"], false],
    ["::", ["::1"], true],
    ["fe80::1%eth0", ["fd00::1"], true],
    ["fe80::1%eth0", [], false],
    ["64:ff9b::a00:1", [], false],
    ["64:ff9b::808:808", [], true],
    ["64:ff9b::7f00:1", ["10.0.0.1"], false],
    ["64:ff9b::1:6440:1", [], false],
  ] as const)(
    "to %s, for a server with the addresses %j, is allowed: %s",
    (address, server, isAllowed) => {
      expect(isAllowedAddress(address, undefined, server)).toBe(isAllowed);
      expect(isAllowedAddress(address, false, server)).toBe(isAllowed);
      expect(isAllowedAddress(address, true, server)).toBe(true);
    },
  );
});

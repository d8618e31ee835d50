package intake

import (
	"fmt"
	"strconv"
	"strings"
)

// maxHosts bounds how many names one file may name, each as often as it does.
const maxHosts = 1 << 20

// hosts calls f for every name of a list as Slurm writes it: n1,n[2-4,7],rack[0-1]n[08-10].
// Numbers keep their leading zeros. most bounds the names; what is left of it comes back.
func hosts(list string, most int, f func(name string)) (left int, err error) {
	for len(list) > 0 {
		one := list
		if i := commaOutside(list); i >= 0 {
			one, list = list[:i], list[i+1:]
		} else {
			list = ""
		}
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		if most, err = product("", one, most, f); err != nil {
			return most, err
		}
	}
	return most, nil
}

// commaOutside returns where the first comma outside of brackets stands, −1 for none.
func commaOutside(s string) int {
	inside := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ',':
			if !inside {
				return i
			}
		}
	}
	return -1
}

// product expands the brackets of one name, from left to right.
func product(head, rest string, most int, f func(string)) (int, error) {
	open := strings.IndexByte(rest, '[')
	if open < 0 {
		if strings.IndexByte(rest, ']') >= 0 {
			return most, fmt.Errorf("%q has a bracket that nothing opens", rest)
		}
		if most--; most < 0 {
			return most, fmt.Errorf("more than %d names of nodes", maxHosts)
		}
		f(head + rest)
		return most, nil
	}
	length := strings.IndexByte(rest[open:], ']')
	if length < 0 {
		return most, fmt.Errorf("%q has a bracket that nothing closes", rest)
	}
	inner, tail := rest[open+1:open+length], rest[open+length+1:]
	if strings.IndexByte(inner, '[') >= 0 {
		return most, fmt.Errorf("%q has a bracket within brackets", rest)
	}
	head += rest[:open]
	for _, span := range strings.Split(inner, ",") {
		from, to, ranged := strings.Cut(span, "-")
		if !ranged {
			to = from
		}
		low, err := strconv.ParseUint(from, 10, 32)
		high := low
		if err == nil {
			high, err = strconv.ParseUint(to, 10, 32)
		}
		if err != nil || high < low {
			return most, fmt.Errorf("%q is no range of numbers", span)
		}
		for n := low; n <= high; n++ {
			digits := strconv.FormatUint(n, 10)
			if zeros := len(from) - len(digits); zeros > 0 {
				digits = strings.Repeat("0", min(zeros, 20)) + digits
			}
			if most, err = product(head+digits, tail, most, f); err != nil {
				return most, err
			}
		}
	}
	return most, nil
}

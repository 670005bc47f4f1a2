// calls.rs: 300 calls, 200 of them in two threads, one of which panics.
// SPDX-License-Identifier: MIT
extern "C" {
    fn hundred();
}

fn main() {
    std::panic::set_hook(Box::new(|_| eprintln!("panics")));
    let ends = std::thread::spawn(|| unsafe { hundred() });
    let panics = std::thread::spawn(|| {
        unsafe { hundred() };
        panic!("on purpose");
    });
    assert!(ends.join().is_ok() && panics.join().is_err());
    unsafe { hundred() };
    println!("300 calls");
    std::process::exit(8);
}

package dev.onejob.api;

import dev.onejob.api.auth.BearerFilter;
import dev.onejob.api.auth.Keys;
import dev.onejob.api.jobs.JobsController;
import dev.onejob.api.jobs.Submit;
import dev.onejob.api.jobs.Waiters;
import dev.onejob.api.json.JobJson;
import dev.onejob.api.operate.AttemptsController;
import dev.onejob.api.operate.LateArrivalsController;
import dev.onejob.contract.Catalog;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.Database;
import dev.onejob.store.Jobs;
import dev.onejob.store.LateArrivals;
import dev.onejob.wake.Handover;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

/** What a process of the role api serves besides. */
@Configuration(proxyBeanMethods = false)
@Import({JobsController.class, AttemptsController.class, LateArrivalsController.class, Pages.class})
class ApiWiring {

  @Bean
  Jobs jobs(Database database) {
    return new Jobs(database);
  }

  @Bean
  AttemptLedger ledger(Database database) {
    return new AttemptLedger(database);
  }

  @Bean
  LateArrivals lateArrivals(Database database) {
    return new LateArrivals(database);
  }

  @Bean
  Submit submit(Catalog catalog, Jobs jobs, Handover handover) {
    return new Submit(catalog, jobs, handover);
  }

  @Bean
  Waiters waiters(Jobs jobs) {
    return new Waiters(jobs);
  }

  /**
   * Those who wait are answered first: the graceful stop would wait for them, and then cut them.
   */
  @Bean
  ApplicationListener<ContextClosedEvent> lettingWaitersGo(Waiters waiters) {
    return closed -> waiters.close();
  }

  @Bean
  JobJson jobJson(Settings settings) {
    return new JobJson(settings.workflows());
  }

  @Bean
  FilterRegistrationBean<BearerFilter> bearer(Keys keys) {
    FilterRegistrationBean<BearerFilter> filter =
        new FilterRegistrationBean<>(new BearerFilter(keys));
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return filter;
  }
}
